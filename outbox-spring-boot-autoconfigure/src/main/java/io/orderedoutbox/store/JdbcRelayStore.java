package io.orderedoutbox.store;

import java.time.Duration;
import java.util.function.LongSupplier;

import org.springframework.util.Assert;

/**
 * {@link RelayStore} in which the claim is a row lock: see {@link JdbcClaims}.
 */
public final class JdbcRelayStore implements RelayStore {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final Scan scan;

	private final Dealer dealer;

	/**
	 * Create a store for a relay that comes again and again: where more is stalled,
	 * blocked or in other hands than a window shows, it looks through everything only now
	 * and then. See {@link Tours}.
	 * @param database the database of the outbox
	 * @param settings how much a claim takes
	 */
	public JdbcRelayStore(OutboxDatabase database, ClaimSettings settings) {
		this(database, settings, false, System::nanoTime);
	}

	JdbcRelayStore(OutboxDatabase database, ClaimSettings settings, boolean thorough, LongSupplier clock) {
		Assert.isTrue(settings.lockTimeout().compareTo(Duration.ofSeconds(1)) >= 0,
				"'lockTimeout' must be at least one second");
		this.database = database;
		this.settings = settings;
		this.scan = new Scan(database, settings, thorough, clock);
		this.dealer = new Dealer(this.scan, settings);
	}

	/**
	 * Create a store for a relay that ends when there is nothing more: a claim that finds
	 * nothing has looked through everything, each time.
	 * @param database the database of the outbox
	 * @param settings how much a claim takes
	 * @return the store
	 */
	public static JdbcRelayStore thorough(OutboxDatabase database, ClaimSettings settings) {
		return new JdbcRelayStore(database, settings, true, System::nanoTime);
	}

	@Override
	public Claims claims() {
		this.scan.serve(1);
		return new JdbcClaims(this.database, this.settings, this.scan, this.dealer);
	}

}
