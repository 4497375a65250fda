package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.orderedoutbox.jdbc.KeptSession;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;

/**
 * Claims messages by locking partitions, in one transaction for each batch, at READ
 * COMMITTED.
 * <ol>
 * <li>Once in a poll interval one worker of the instance asks in which partitions there
 * is something from their cursors on, or a parked key that is due.</li>
 * <li>Take partitions that may have something to send from the {@link PartitionBoard},
 * the worker's fair share of them.</li>
 * <li>Begin a transaction and lock their rows in {@code outbox_partition}, passing over
 * those that another claim has locked. Whoever holds the row of a partition owns all keys
 * of the partition until the transaction ends. When its process dies, the database ends
 * the transaction.</li>
 * <li>Read from the lanes of these partitions: see {@link BatchReader}. What the worker
 * sends is a beginning of what there is of each key.</li>
 * <li>Store what became of it in the same transaction, and commit: see
 * {@link ClaimCompletion}. Only then the cursors move: see {@link PartitionCursor}.</li>
 * <li>Give the partitions back to the board, and say whether something was left.</li>
 * </ol>
 * Why the order is kept: no two transactions own a partition; within a partition the
 * order of positions is the order of commits, because each writer holds its stripe; and
 * nothing is deleted or moved but in the transaction that owns the partition. A worker
 * that has lost its transaction without knowing can only repeat messages, in order, from
 * where it was.
 */
final class PartitionClaims implements Claims {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final ClaimSettings settings;

	private final PartitionBoard board;

	private final List<PartitionCursor> cursors;

	private final KeptSession session;

	private final LongSupplier clock;

	private @Nullable ClaimStatements statements;

	// That has answered the last poll
	private String server = "";

	PartitionClaims(OutboxDatabase database, ClaimSettings settings, PartitionBoard board,
			List<PartitionCursor> cursors, LongSupplier clock) {
		this.database = database;
		this.settings = settings;
		this.board = board;
		this.cursors = cursors;
		this.session = new KeptSession(database, settings.lockTimeout(), clock);
		this.clock = clock;
	}

	@Override
	public @Nullable Claim next() {
		try {
			List<Integer> taken = take();
			while (!taken.isEmpty()) {
				PartitionClaim claim = claim(taken);
				if (claim != null) {
					return claim;
				}
				taken = take();
			}
			this.session.end();
			return null;
		}
		catch (RuntimeException | Error ex) {
			this.session.end();
			throw ex;
		}
	}

	private List<Integer> take() {
		this.session.resume();
		poll();
		return this.board.take(this.settings.maxPartitions());
	}

	private @Nullable PartitionClaim claim(List<Integer> taken) {
		PartitionClaim claim = begin(taken);
		try {
			claim.read(this.cursors, new BatchReader(this.database, statements(), this.settings));
			if (!claim.sequences().isEmpty()) {
				return claim;
			}
			// Rows of parked keys move, and the cursors do, too
			if (claim.ownsAny()) {
				claim.complete(List.of(), List.of());
			}
		}
		catch (RuntimeException | Error ex) {
			claim.close();
			throw ex;
		}
		claim.close();
		return null;
	}

	private PartitionClaim begin(List<Integer> taken) {
		try {
			return new PartitionClaim(this.database, statements(), this.session, this.board, taken);
		}
		catch (RuntimeException | Error ex) {
			taken.forEach((id) -> this.board.release(id, true));
			throw ex;
		}
	}

	private ClaimStatements statements() {
		ClaimStatements known = this.statements;
		if (known == null) {
			known = new ClaimStatements(this.database, this.settings);
			this.statements = known;
		}
		return known;
	}

	private void poll() {
		if (!this.board.beginPoll()) {
			return;
		}
		try {
			this.board.endPoll(look());
		}
		catch (RuntimeException | Error ex) {
			this.board.failPoll();
			throw ex;
		}
	}

	// If another server answers than the last time, the positions are not of that server
	private List<Integer> look() {
		String known = this.server;
		List<Integer> found = lookOnce();
		return known.equals(this.server) ? found : lookOnce();
	}

	private List<Integer> lookOnce() {
		int swept = this.board.nextToSweep();
		Map<Integer, Long> from = new HashMap<>();
		for (int id = 0; id < this.cursors.size(); id++) {
			if (this.board.isIdle(id)) {
				from.put(id, (id != swept) ? this.cursors.get(id).next(this.server) : 0);
			}
		}
		long beganAt = this.clock.getAsLong();
		List<Integer> found = look(from);
		if (from.containsKey(swept)) {
			this.board.swept(this.clock.getAsLong() - beganAt);
		}
		return found;
	}

	private List<Integer> look(Map<Integer, Long> from) {
		String poll = statements().poll(from);
		List<Integer> found = new ArrayList<>();
		this.database.read(PATIENCE, (jdbc) -> jdbc.query(poll, (rs, index) -> {
			int id = rs.getInt("lane");
			long position = rs.getLong("id");
			if (id < 0) {
				this.server = rs.getString("server");
				return id;
			}
			found.add(id);
			PartitionCursor cursor = this.cursors.get(id);
			if (position > 0 && from.getOrDefault(id, position) == 0 && position < cursor.next(this.server)) {
				cursor.restart();
			}
			return id;
		}));
		return found;
	}

	@Override
	public Duration rest() {
		this.session.end();
		return this.board.rest();
	}

	@Override
	public void end() {
		this.board.leave();
		this.session.end();
	}

}
