/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A claim that is settled in parts, and one that ends before the broker has answered for
 * everything.
 */
@Tag("order")
@Timeout(60)
class SuspendedClaimTests {

	private static final ClaimSettings SETTINGS = ClaimWorker.settings(true, 100);

	private static final String TOO_LONG_FOR_A_COLUMN = "x".repeat(2_000);

	private static final String KEY = Keys.in(12);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, SETTINGS);

	private final ClaimWorker other = ClaimWorker.of(this.tables, SETTINGS);

	@AfterEach
	void close() {
		try {
			assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		}
		finally {
			this.tables.close();
		}
	}

	@Test
	void whatIsSettledInPartsIsCommittedAtOnce() {
		this.tables.commit("a", "b", "c", "a");
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			claim.settle(List.of(), List.of(FailedMessage.retried(2, "once", Duration.ofHours(1))));
			claim.settle(List.of(3L), List.of());
			assertThat(this.tables.depth()).isEqualTo(4);
			claim.commit();
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 4L);
		assertThat(this.worker.completeNext()).containsExactly(4L);
	}

	@Test
	void whatIsSettledAndNotCommittedIsClaimedAgain() {
		this.tables.commit("a", "b");
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of(FailedMessage.blocked(2, "once")));
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void aPartThatCannotBeStoredIsLeftOut() {
		this.tables.commit("a", "b", "c", "d");
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> claim.settle(List.of(2L), List.of(FailedMessage.deadLetter(3, "given up"),
						FailedMessage.retried(4, TOO_LONG_FOR_A_COLUMN, Duration.ZERO))));
			assertThat(claim.renew()).isTrue();
			claim.settle(List.of(2L), List.of(FailedMessage.deadLetter(3, "given up")));
			claim.commit();
		}
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(3L);
		assertThat(this.worker.completeNext()).containsExactly(4L);
	}

	// The broker is silent about the one, and not about the other
	@Test
	void aPartitionOfWhichNothingIsLeftIsFreeWhileTheClaimIsSuspended() {
		String answered = Keys.in(13);
		this.tables.commit(KEY, answered);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(2L), List.of());
			claim.suspend();
			this.tables.commit(KEY, answered);
			assertThat(this.worker.colleague().completeNext()).containsExactly(4L);
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 3L);
	}

	@Test
	void whatIsNotOfAClaimCannotBeSettled() {
		this.tables.commit("a", "b");
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> claim.settle(List.of(7L), List.of()));
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> claim.settle(List.of(), List.of(FailedMessage.blocked(7, "once"))));
			claim.complete(List.of(1L), List.of());
		}
		assertThat(this.worker.completeNext()).containsExactly(2L);
	}

	@Test
	void aClaimThatIsSuspendedKeepsNoConnection() {
		this.tables.commit(KEY, KEY);
		HikariDataSource pool = this.tables.pool(1);
		ClaimWorker busy = ClaimWorker.of(pool, SETTINGS);
		try (Claim claim = busy.next()) {
			claim.settle(List.of(1L), List.of());
			claim.suspend();
			assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
			assertThat(this.tables.depth()).isEqualTo(1);
		}
	}

	@Test
	void whileAClaimIsSuspendedAnotherInstanceGetsItsKeysAndAColleagueDoesNot() {
		this.tables.commit(KEY, KEY);
		ClaimWorker colleague = this.worker.colleague();
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			claim.suspend();
			assertThat(colleague.next()).isNull();
			this.other.next().close();
			claim.settleLate(List.of(2L), List.of());
		}
		assertThat(this.tables.depth()).isZero();
		this.tables.commit(KEY);
		assertThat(colleague.completeNext()).containsExactly(3L);
	}

	@Test
	void whatAnOperatorHasRetriedMeanwhileDoesNotBecomeADeadLetterLate() {
		this.tables.commit(KEY, KEY);
		this.tables.stall("id = 1");
		this.tables.makeDue();
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			assertThat(this.tables.operator(true, (partitions) -> {
			}).retry(MessageSelection.key(KEY)).affected()).isOne();
			claim.settleLate(List.of(), List.of(FailedMessage.deadLetter(1, "given up")));
		}
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).isEmpty();
		assertThat(this.other.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void whatAnOperatorHasReroutedMeanwhileIsNotRemovedLate() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			reroute(MessageSelection.all(), 2);
			claim.settleLate(List.of(1L, 2L), List.of());
		}
		assertThat(exchangesOf(this.worker.drain(2))).containsExactly("other", "other");
	}

	@ParameterizedTest
	@EnumSource(Fate.class)
	void aLateFailureIsNotThatOfTheDestinationThatAnOperatorHasGivenMeanwhile(Fate fate) {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			reroute(MessageSelection.all(), 2);
			claim.settleLate(List.of(), List.of(new FailedMessage(1, "returned late", fate, Duration.ofHours(1))));
		}
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).isEmpty();
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(0, 0);
		assertThat(this.tables.column(String.class, "last_error", "outbox_message")).containsOnlyNulls();
		assertThat(exchangesOf(this.worker.drain(2))).containsExactly("other", "other");
	}

	@Test
	void aLateFailureBehindWhatAnOperatorHasReroutedMeanwhileDoesNotDelayIt() {
		this.tables.commit(KEY, KEY, Keys.in(1));
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			reroute(MessageSelection.message(messageId(1)), 1);
			claim.settleLate(List.of(1L, 3L), List.of(FailedMessage.blocked(2, "returned late")));
		}
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(0, 1);
		assertThat(exchangesOf(this.worker.drain(2))).containsExactly("other", "");
	}

	@ParameterizedTest
	@EnumSource(names = { "SKIP", "REQUEUE", "DISCARD" })
	void whatAnOperatorHasSkippedMeanwhileStaysWhatItIs(OperatorVerb verb) {
		this.tables.commit(KEY, KEY);
		this.tables.stall("id = 1");
		this.tables.makeDue();
		JdbcOutboxAdministration operator = this.tables.operator(true, (partitions) -> {
		});
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			assertThat(operator.apply(OperatorVerb.SKIP, MessageSelection.key(KEY)).affected()).isOne();
			if (verb != OperatorVerb.SKIP) {
				assertThat(operator.apply(verb, MessageSelection.key(KEY)).affected()).isOne();
			}
			claim.settleLate((verb == OperatorVerb.DISCARD) ? List.of(1L) : List.of(),
					(verb == OperatorVerb.DISCARD) ? List.of() : List.of(FailedMessage.deadLetter(1, "given up")));
		}
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter"))
			.isEqualTo((verb == OperatorVerb.SKIP) ? List.of(1L) : List.of());
		List<Long> rest = this.worker.drain(3).stream().flatMap(List::stream).map(StoredMessage::id).toList();
		assertThat(rest).isEqualTo((verb == OperatorVerb.REQUEUE) ? List.of(2L, 3L) : List.of(2L));
	}

	private void reroute(MessageSelection selection, int messages) {
		assertThat(this.tables.operator(true, (partitions) -> {
		}).reroute(selection, Reroute.exchange("", "other")).affected()).isEqualTo(messages);
	}

	private String messageId(long position) {
		return this.tables.column(String.class, "message_id", "outbox_message WHERE id = " + position).get(0);
	}

	private static List<String> exchangesOf(List<List<StoredMessage>> batches) {
		return batches.stream()
			.flatMap(List::stream)
			.map((stored) -> stored.message().destination().exchange())
			.toList();
	}

	@Test
	void whatAnotherInstanceHasMeanwhileIsNotRemovedLate() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				claim.settleLate(List.of(1L), List.of());
				assertThat(this.tables.depth()).isEqualTo(2);
				taken.complete(List.of(1L, 2L), List.of());
			}
		}
		assertThat(this.worker.next()).isNull();
	}

	@Test
	void whatAnotherInstanceHasSentMeanwhileIsGone() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			assertThat(this.other.completeNext()).containsExactly(1L, 2L);
			claim.settleLate(List.of(1L), List.of());
		}
		assertThat(this.worker.next()).isNull();
	}

	@Test
	void whatAnotherInstanceHasParkedMeanwhileIsSentAgain() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				taken.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
			}
			claim.settleLate(List.of(1L), List.of());
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void whatIsRemovedLateIsFollowedByTheRestOfItsKey() {
		this.tables.commit(KEY, KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			claim.suspend();
			this.tables.commit(KEY);
			claim.settleLate(List.of(2L), List.of());
		}
		assertThat(this.worker.completeNext()).containsExactly(3L, 4L);
	}

	@Test
	void onAnotherServerNothingIsSettledLate() {
		AtomicReference<String> server = new AtomicReference<>("primary");
		ClaimWorker moving = ClaimWorker.on(this.tables, SETTINGS, server::get);
		this.tables.commit(KEY);
		try (Claim claim = moving.next()) {
			claim.suspend();
			server.set("replica");
			// There, another message has the position
			this.tables.jdbc().sql("UPDATE outbox_message SET message_id = UUID()").update();
			claim.settleLate(List.of(1L), List.of());
			assertThat(this.tables.depth()).isOne();
		}
		assertThat(moving.completeNext()).containsExactly(1L);
	}

	@Test
	void aMessageThatFailsLateHasFailed() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			claim.settleLate(List.of(), List.of(FailedMessage.retried(1, "returned late", Duration.ofHours(1))));
		}
		assertThat(this.tables.column(String.class, "last_error", "outbox_message WHERE attempts = 1"))
			.containsExactly("returned late");
		assertThat(this.worker.next()).isNull();
		this.tables.makeDue();
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		assertThat(this.worker.next()).isNull();
	}

	@Test
	void aParkedMessageThatFailsLateIsPostponed() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			claim.settleLate(List.of(), List.of(FailedMessage.blocked(1, "twice")));
		}
		assertThat(this.worker.next()).isNull();
		this.tables.makeDue();
		assertThat(this.worker.next()).as("it is blocked").isNull();
	}

	@Test
	void aFailureOfWhatAnotherInstanceHasSentMeanwhileIsForgotten() {
		this.tables.commit(KEY, KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				taken.complete(List.of(1L), List.of());
			}
			claim.settleLate(List.of(), List.of(FailedMessage.blocked(1, "returned late")));
		}
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L);
	}

	@Test
	void aFailureOfWhatAnotherInstanceHasParkedMeanwhileDoesNotBlockItsKey() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				taken.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
			}
			claim.settleLate(List.of(), List.of(FailedMessage.blocked(1, "returned late")));
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void aMessageThatFailsLateHasFailedAlsoIfAnotherInstanceHasBeenInAnotherPartition() {
		String elsewhere = Keys.in(1);
		this.tables.commit(KEY, elsewhere);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				taken.complete(List.of(2L), List.of());
			}
			claim.settleLate(List.of(2L), List.of(FailedMessage.retried(1, "returned late", Duration.ofHours(1))));
		}
		assertThat(this.worker.next()).as("it waits").isNull();
		this.tables.makeDue();
		assertThat(this.worker.completeNext()).containsExactly(1L);
	}

	@Test
	void aLateFailureDoesNotUndoWhatAnotherInstanceHasDecided() {
		this.tables.commit(KEY);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = this.other.next()) {
				taken.complete(List.of(), List.of(FailedMessage.blocked(1, "twice")));
			}
			claim.settleLate(List.of(), List.of(FailedMessage.retried(1, "returned late", Duration.ZERO)));
		}
		assertThat(this.worker.next()).as("it is blocked").isNull();
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(2);
	}

	// Pipelined: what is behind may fail while what is before it has moved
	@Test
	void aFailureOfWhatAnotherInstanceHasReachedInPartOpensNoSecondLane() {
		this.tables.commit(Collections.nCopies(10, KEY).toArray(String[]::new));
		ClaimWorker small = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 8));
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			try (Claim taken = small.next()) {
				taken.complete(List.of(1L, 2L), List.of());
			}
			claim.settleLate(OutboxTables.positions(1, 9),
					List.of(FailedMessage.retried(10, "returned late", Duration.ZERO)));
		}
		assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		this.tables.commit(KEY);
		List<Long> rest = this.worker.drain(10).stream().flatMap(List::stream).map(StoredMessage::id).toList();
		assertThat(rest).isEqualTo(List.of(3L, 4L, 5L, 6L, 7L, 8L, 10L, 11L));
	}

	// Pipelined: it was sent before the other was known to have failed
	@Test
	void aLateFailureBehindABlockedMessageDoesNotFreeTheKey() {
		this.tables.commit(KEY, KEY, KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of(FailedMessage.blocked(2, "given up")));
			claim.suspend();
			claim.settleLate(List.of(), List.of(FailedMessage.retried(3, "returned late", Duration.ZERO)));
		}
		assertThat(this.worker.next()).as("it is blocked").isNull();
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(1, 1, 0);
	}

	// The claim moves no more bytes than a batch has, so that only a part of the key has
	// moved
	@Test
	void aLateFailureOfAKeyThatHasMovedInPartOpensNoSecondLane() {
		ClaimSettings few = new ClaimSettings(true, 16, DataSize.ofBytes(1_000), Duration.ofSeconds(30), Duration.ZERO);
		ClaimWorker small = ClaimWorker.of(this.tables, few);
		String large = Keys.in(1);
		this.tables.commit(large);
		try (Claim claim = small.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ofHours(1))));
		}
		this.tables.commit(large);
		this.tables.jdbc()
			.sql(Servers.database()
				.choose("UPDATE outbox_message SET payload = REPEAT('x', 1000) WHERE id = 2",
						"UPDATE outbox_message SET payload = convert_to(REPEAT('x', 1000), 'UTF8') WHERE id = 2",
						"UPDATE outbox_message SET payload = filler(1000) WHERE id = 2"))
			.update();
		this.tables.commit(Collections.nCopies(20, KEY).toArray(String[]::new));
		try (Claim claim = small.next()) {
			claim.settle(List.of(3L), List.of());
			claim.suspend();
			assertThat(this.tables.column(Long.class, "id", "outbox_message WHERE lane < 0")).containsExactly(1L, 2L,
					4L);
			claim.settleLate(List.of(4L), List.of(FailedMessage.retried(5, "returned late", Duration.ofHours(1))));
		}
		assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		assertThat(small.next()).as("it waits").isNull();
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE lane <> -1").update();
		this.tables.jdbc().sql("UPDATE outbox_partition SET retry_at = UTC_TIMESTAMP(6)").update();
		assertThat(small.drain(20).stream().flatMap(List::stream).map(StoredMessage::id).toList())
			.isEqualTo(OutboxTables.positions(5, 22));
	}

	@Test
	void whatIsLostWhileItIsSettledLateCostsNoFurtherClaim() {
		LossyDataSource lossy = new LossyDataSource(this.tables.pool(1));
		ClaimWorker unlucky = ClaimWorker.of(lossy, SETTINGS);
		this.tables.commit(KEY);
		try (Claim claim = unlucky.next()) {
			claim.suspend();
			lossy.loseNextCommit(LossyDataSource.Loss.REQUEST);
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> claim.settleLate(List.of(1L), List.of()));
		}
		assertThat(unlucky.completeNext()).containsExactly(1L);
	}

	@Test
	void theLastOneOfALaneMayBeRemovedLate() {
		this.tables.commit(KEY);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		try (Claim claim = this.worker.next()) {
			claim.suspend();
			claim.settleLate(List.of(1L), List.of());
		}
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(2L);
		assertThat(this.worker.next()).isNull();
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single()).isZero();
	}

	@Test
	void aClaimThatIsClosedWithoutAnAnswerIsClaimedAgainFromItsHead() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.suspend();
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

}
