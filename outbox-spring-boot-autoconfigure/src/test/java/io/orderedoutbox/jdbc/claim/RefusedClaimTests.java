/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OwnThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A claim after the database has refused something: whether it stands, and what can still
 * be completed.
 */
@Tag("order")
@Timeout(60)
class RefusedClaimTests {

	private static final ClaimSettings SETTINGS = ClaimWorker.settings(true, 100);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, SETTINGS);

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
	void whatATriggerRaisesIsARefusalAndTheClaimStands() {
		this.tables.commit("a", "b");
		trigger("BEFORE DELETE ON outbox_message", 1);
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> claim.settle(List.of(1L, 2L), List.of()));
			assertThat(claim.renew()).isTrue();
			claim.settle(List.of(2L), List.of());
			claim.commit();
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(1L);
	}

	@Test
	void whatWasRehearsedHasNotHappened() {
		this.tables.commit("a", "a", "b", "c");
		try (Claim claim = this.worker.next()) {
			assertThat(claim.rehearse(() -> claim.settle(List.of(1L, 2L, 3L),
					List.of(FailedMessage.retried(4, "once", Duration.ofHours(1))))))
				.isTrue();
			claim.settle(List.of(1L), List.of());
			claim.commit();
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 3L, 4L);
		assertThat(this.tables.jdbc().sql("SELECT lane FROM outbox_parked").query(Long.class).list()).isEmpty();
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L, 4L);
	}

	@Test
	void aRehearsalSaysThatNothingCanBeParked() {
		this.tables.commit("a", "b");
		trigger("BEFORE INSERT ON outbox_parked", 0);
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> claim.rehearse(
					() -> claim.settle(List.of(1L), List.of(FailedMessage.retried(2, "once", Duration.ofHours(1))))));
			assertThat(claim.renew()).isTrue();
			claim.complete(List.of(1L, 2L), List.of());
		}
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void afterACommitThatWasRefusedWhatWasPublishedCanBeCompleted() {
		this.tables.commit("a", "a", "a", "b");
		trigger("BEFORE INSERT ON outbox_parked", 0);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L, 4L), List.of(FailedMessage.retried(2, "once", Duration.ofHours(1))));
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(claim::commit);
			assertThat(claim.renew()).isTrue();
			claim.settleLate(List.of(1L, 4L), List.of());
		}
		assertThat(this.worker.store().board().hasMore()).as("what is not parked is due").isTrue();
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 3L);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsOnly(0);
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L);
	}

	@Test
	void afterASuspensionThatWasRefusedTheRestCanBeCompletedLate() {
		this.tables.commit("a", "a", "b", "c");
		trigger("BEFORE INSERT ON outbox_parked", 0);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of(FailedMessage.retried(3, "once", Duration.ofHours(1))));
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(claim::suspend);
			claim.settleLate(List.of(1L), List.of());
			claim.settleLate(List.of(2L, 4L), List.of());
		}
		assertThat(this.worker.completeNext()).containsExactly(3L);
	}

	@Test
	void whatIsSettledLateAndRefusedCanBeSettledInParts() {
		this.tables.commit("a", "b", "c", "c", "d");
		trigger("BEFORE DELETE ON outbox_message", 2);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			claim.suspend();
			FailedMessage failed = FailedMessage.retried(5, "once", Duration.ofHours(1));
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> claim.settleLate(List.of(2L, 3L, 4L), List.of(failed)));
			assertThat(claim.renew()).isTrue();
			claim.settleLate(List.of(3L), List.of());
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> claim.settleLate(List.of(2L), List.of()));
			assertThat(claim.renew()).isTrue();
			claim.settleLate(List.of(4L), List.of());
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 5L);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsOnly(0);
	}

	@Test
	void aClaimKnowsWhatAnotherSessionHasLocked() {
		this.tables.commit("a", "b", "c");
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		lock(2);
		try (Claim claim = this.worker.next()) {
			assertThat(claim.locked()).containsExactly(2L);
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> claim.settle(List.of(1L, 2L, 3L), List.of()));
			assertThat(claim.renew()).isTrue();
			claim.settle(List.of(1L, 3L), List.of());
			claim.commit();
		}
		this.tables.commit(other);
		awaitPause();
		assertThat(this.worker.completeNext()).containsExactly(2L);
	}

	@Test
	@Timeout(2)
	void whatAnotherSessionHasLockedDoesNotMoveAndHoldsUpNoCommit() {
		this.tables.commit("a", "a", "a", "b", "b", "c");
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		lock(2);
		lock(4);
		try (Claim claim = this.worker.next()) {
			assertThat(claim.locked()).containsExactlyInAnyOrder(2L, 4L);
			claim.settle(List.of(6L), List.of(FailedMessage.retried(1, "once", Duration.ZERO),
					FailedMessage.retried(5, "once", Duration.ofHours(1))));
			claim.commit();
		}
		assertThat(this.tables.jdbc().sql("SELECT id FROM outbox_message WHERE lane < 0").query(Long.class).list())
			.as("up to the locked one")
			.containsExactly(1L);
		this.tables.commit(other);
		assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		awaitPause();
		assertThat(this.worker.completeNext()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
	}

	@Test
	void aPartitionOfWhichAllIsLockedIsClaimedAgainAfterAPause() {
		this.tables.commit("a");
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		lock(1);
		try (Claim claim = this.worker.next()) {
			assertThat(claim.locked()).containsExactly(1L);
		}
		assertThat(this.worker.store().board().hasMore()).isFalse();
		assertThat(this.worker.store().board().rest()).isLessThan(Duration.ofSeconds(1));
		this.tables.commit(other);
		awaitPause();
		assertThat(this.worker.completeNext()).containsExactly(1L);
	}

	@Test
	void aDeadlockEndsTheClaim() {
		OutboxTables.skipOnPostgreSql("the victim of a deadlock goes on from its savepoint");
		this.tables.commit("a", "b");
		this.tables.jdbc().sql("CREATE TABLE heavy (id INT PRIMARY KEY)").update();
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of());
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
				TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
				// The server ends the transaction that has changed less
				this.tables.jdbc().sql("INSERT INTO heavy SELECT id FROM outbox_partition").update();
				lock(2);
				lock(1);
				this.tables.commit(transaction);
			}, OwnThread.OWN_THREAD);
			LockWait.await(this.tables.jdbc());
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> claim.settle(List.of(2L), List.of()));
			assertThat(claim.renew()).isFalse();
			other.join();
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	// Until a partition is given again whose messages were locked
	private void awaitPause() {
		Awaitility.await().until(() -> this.worker.store().board().rest().isZero());
	}

	private void lock(long id) {
		this.tables.jdbc()
			.sql("SELECT id FROM outbox_message " + this.tables.outbox().dialect().sql().byId()
					+ " WHERE lane = (SELECT lane FROM (SELECT lane FROM "
					+ "outbox_message WHERE id = :id) l) AND id = :id FOR UPDATE")
			.param("id", id)
			.query(Long.class)
			.single();
	}

	// Refuses one message, or all rows
	private void trigger(String event, int id) {
		OutboxTables.skipOnH2("a trigger is a class");
		if (Servers.database().isPostgreSql()) {
			this.tables.jdbc().sql("""
					CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE PLPGSQL AS
					'BEGIN RAISE EXCEPTION ''refused''; END'""").update();
			String condition = (id > 0) ? "WHEN (OLD.id = %d)".formatted(id) : "";
			this.tables.jdbc()
				.sql("CREATE TRIGGER refuse %s FOR EACH ROW %s EXECUTE FUNCTION refuse()".formatted(event, condition))
				.update();
			return;
		}
		String body = (id > 0) ? "IF OLD.id = %d THEN SIGNAL SQLSTATE '45000'; END IF".formatted(id)
				: "SIGNAL SQLSTATE '45000'";
		this.tables.jdbc().sql("CREATE TRIGGER refuse %s FOR EACH ROW %s".formatted(event, body)).update();
	}

}
