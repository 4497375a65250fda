/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.jdbc.KeptSession;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;

/**
 * Claims messages by locking partitions, in one transaction for each batch, at READ
 * COMMITTED.
 * <ol>
 * <li>Once in a poll interval one worker of the instance asks which partitions have a
 * parked key that is due, and which of those that are idle have something from their
 * cursors on.</li>
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

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final JdbcRelayStore store;

	private final PartitionBoard board;

	private final KeptSession session;

	PartitionClaims(JdbcRelayStore store) {
		this.store = store;
		this.board = store.board();
		this.session = new KeptSession(store.database(), store.settings().lockTimeout(), store.clock());
	}

	@Override
	public @Nullable Claim next() {
		try {
			for (List<Integer> taken = take(); !taken.isEmpty(); taken = take()) {
				PartitionClaim claim = claim(taken);
				if (claim != null) {
					return claim;
				}
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
		this.store.database().agreement().require();
		this.session.resume();
		poll();
		return this.board.take(this.store.settings().maxPartitions());
	}

	private @Nullable PartitionClaim claim(List<Integer> taken) {
		PartitionClaim claim = new PartitionClaim(this.store, this.session, taken);
		boolean isAnythingToSend = false;
		try {
			isAnythingToSend = claim.read();
		}
		finally {
			if (!isAnythingToSend) {
				claim.close();
			}
		}
		return isAnythingToSend ? claim : null;
	}

	private void poll() {
		if (!this.board.beginPoll()) {
			return;
		}
		try {
			// Before the poll takes a connection: the statements may need one first
			String poll = this.store.statements().poll(this.board.pollFrom());
			List<Integer> found = new ArrayList<>();
			List<String> server = new ArrayList<>();
			this.store.database().read(PATIENCE, (jdbc) -> {
				jdbc.query(poll, (rs) -> {
					if (rs.getInt("lane") < 0) {
						server.add(rs.getString("server"));
					}
					else {
						found.add(rs.getInt("lane"));
					}
				});
				return found;
			});
			this.board.endPoll(server.get(0), found);
		}
		catch (RuntimeException | Error ex) {
			this.board.failPoll();
			throw ex;
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
