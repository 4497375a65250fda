package io.orderedoutbox.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.util.Assert;

/**
 * {@link RelayStore} in which the claim is a row lock: see {@link JdbcClaims}.
 */
public final class JdbcRelayStore implements RelayStore {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final Scan scan;

	private final Dealer dealer;

	private final AtomicInteger workers = new AtomicInteger();

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param settings how much a claim takes
	 */
	public JdbcRelayStore(OutboxDatabase database, ClaimSettings settings) {
		Assert.isTrue(settings.lockTimeout().compareTo(Duration.ofSeconds(1)) >= 0,
				"'lockTimeout' must be at least one second");
		this.database = database;
		this.settings = settings;
		this.scan = new Scan(database, settings);
		this.dealer = new Dealer(this.scan, settings);
	}

	@Override
	public Claims claims() {
		this.scan.serve(this.workers.incrementAndGet());
		return new JdbcClaims(this.database, this.settings, this.scan, this.dealer);
	}

}
