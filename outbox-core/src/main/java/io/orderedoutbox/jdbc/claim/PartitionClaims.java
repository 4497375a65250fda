package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.KeptSession;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Claims messages by locking partitions, in one transaction for each batch, at READ
 * COMMITTED.
 * <ol>
 * <li>Once in a poll interval one worker of the instance asks in which partitions there
 * is something from their cursors on, or a parked key that is due.</li>
 * <li>Take partitions that may have something to send from the {@link PartitionBoard},
 * the worker's fair share of them.</li>
 * <li>Begin a transaction and lock their rows in {@code outbox_partition}, passing over
 * those that another claim has locked. The transaction that holds the row of a partition
 * owns all keys of the partition until it ends. When its process dies, the database ends
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

	private static final Logger logger = LoggerFactory.getLogger(PartitionClaims.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final JdbcRelayStore store;

	private final PartitionBoard board;

	private final KeptSession session;

	// The server that has answered the last poll, empty before the first
	private String server = "";

	PartitionClaims(JdbcRelayStore store) {
		this.store = store;
		this.board = store.board();
		this.session = new KeptSession(store.database(), store.settings().lockTimeout(), store.clock());
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
			// The server may have lost what it had committed last
			this.board.restart();
			this.session.end();
			throw ex;
		}
	}

	private List<Integer> take() {
		this.session.resume();
		poll();
		return this.board.take(this.store.settings().maxPartitions());
	}

	private @Nullable PartitionClaim claim(List<Integer> taken) {
		PartitionClaim claim = new PartitionClaim(this.store, this.session, taken);
		try {
			if (claim.read()) {
				return claim;
			}
		}
		catch (RuntimeException | Error ex) {
			claim.close();
			throw ex;
		}
		claim.close();
		return null;
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
	private Collection<Integer> look() {
		String known = this.server;
		try {
			List<Integer> found = lookOnce();
			if (known.equals(this.server) || known.isEmpty()) {
				return found;
			}
			this.board.restart();
			return lookOnce();
		}
		catch (DataAccessException ex) {
			if (!known.isEmpty()) {
				throw ex;
			}
			// From the starts of all lanes the poll may have taken too long, where rows
			// that were deleted are not purged. A claim looks at some of them, and has
			// more time
			logger.debug("The first poll has failed: all partitions are claimed", ex);
			return IntStream.range(0, this.board.size()).boxed().toList();
		}
	}

	private List<Integer> lookOnce() {
		String known = this.server;
		int swept = this.board.nextToSweep();
		Map<Integer, Long> from = new HashMap<>();
		for (int id = 0; id < this.board.size(); id++) {
			if (this.board.isIdle(id)) {
				from.put(id, (id != swept) ? this.board.cursor(id).next(known) : 0);
			}
		}
		// Before the poll takes a connection: the statements may need one first
		String poll = this.store.statements().poll(from);
		List<Integer> found = new ArrayList<>();
		long beganAt = this.store.clock().getAsLong();
		try {
			this.store.database().read(PATIENCE, (jdbc) -> jdbc.query(poll, (rs, index) -> {
				int id = rs.getInt("lane");
				if (id < 0) {
					this.server = rs.getString("server");
				}
				else {
					found.add(id);
					restartIfHidden(id, rs.getLong("id"), known, id == swept);
				}
				return id;
			}));
			return found;
		}
		finally {
			if (from.containsKey(swept)) {
				this.board.swept(this.store.clock().getAsLong() - beganAt);
			}
		}
	}

	// A program that does not keep to the rules has put a message below the cursor
	private void restartIfHidden(int id, long position, String known, boolean swept) {
		PartitionCursor cursor = this.board.cursor(id);
		if (swept && position > 0 && position < cursor.next(known)) {
			cursor.restart();
		}
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
