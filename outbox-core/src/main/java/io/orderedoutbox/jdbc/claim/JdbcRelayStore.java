package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;

import org.springframework.util.Assert;

/**
 * {@link RelayStore} in which a claim is the row locks of some partitions: see
 * {@link PartitionClaims}. Its claims share what this instance knows: which partitions
 * may have something to send, and up to where each has been looked at.
 */
public final class JdbcRelayStore implements RelayStore {

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final LongSupplier clock;

	private final PartitionBoard board;

	private final List<PartitionCursor> cursors;

	/**
	 * Create a store.
	 * @param database the database of the outbox
	 * @param settings how much a claim takes
	 */
	public JdbcRelayStore(OutboxDatabase database, ClaimSettings settings) {
		this(database, settings, System::nanoTime);
	}

	JdbcRelayStore(OutboxDatabase database, ClaimSettings settings, LongSupplier clock) {
		Assert.isTrue(settings.lockTimeout().compareTo(Duration.ofSeconds(1)) >= 0,
				"'lockTimeout' must be at least one second");
		this.database = database;
		this.settings = settings;
		this.clock = clock;
		int partitions = database.partitions().count();
		this.board = new PartitionBoard(partitions, settings.pollInterval(), clock);
		this.cursors = IntStream.range(0, partitions).mapToObj((id) -> new PartitionCursor()).toList();
	}

	@Override
	public Claims claims() {
		this.board.join();
		return new PartitionClaims(this.database, this.settings, this.board, this.cursors, this.clock);
	}

	@Override
	public void committed(Set<Integer> partitions) {
		this.board.committed(partitions);
	}

}
