/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.LossyDataSource.Loss;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.RewritingDataSource;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How far a worker looks, and what it must not miss.
 */
@Tag("order")
@Timeout(60)
class CursorTests {

	private static final int PARTITION = 11;

	private static final String KEY = Keys.in(PARTITION);

	private static final ClaimSettings SETTINGS = ClaimWorker.settings(true, 100);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, SETTINGS);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatWasCompletedIsNotLookedAtAgain() {
		commit(5);
		this.worker.completeNext();
		commit(1);
		assertThat(statements()).isNotEmpty().allMatch((statement) -> statement.contains(lane(11, 6)));
		assertThat(polls()).isNotEmpty().allMatch((statement) -> statement.contains(lane(11, 7)));
	}

	@Test
	void theCursorDoesNotMoveBeforeTheCommit() {
		commit(5);
		this.worker.next().close();
		assertThat(statements()).isNotEmpty().allMatch((statement) -> statement.contains(lane(11, 0)));
		assertThat(this.tables.depth()).as("they were claimed again").isZero();
	}

	@Test
	void aClaimThatCouldNotBeCompletedDoesNotMoveTheCursor() {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> claim.complete(List.of(1L),
					List.of(FailedMessage.retried(2, "no", Duration.ofDays(400 * 365)))));
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@ParameterizedTest
	@EnumSource
	void aCommitWhoseEndIsUnknownDoesNotMoveTheCursor(Loss loss) {
		this.tables.commit(KEY, KEY, KEY);
		LossyDataSource lossy = new LossyDataSource(this.tables.pool(1));
		ClaimWorker unlucky = ClaimWorker.of(lossy, SETTINGS);
		try (Claim claim = unlucky.next()) {
			lossy.loseNextCommit(loss);
			assertThatExceptionOfType(TransactionException.class)
				.isThrownBy(() -> claim.complete(List.of(1L, 2L), List.of()));
		}
		assertThat(this.tables.depth()).isEqualTo((loss == Loss.ANSWER) ? 1 : 3);
		this.tables.commit(KEY);
		List<Long> left = (loss == Loss.ANSWER) ? List.of(3L, 4L) : List.of(1L, 2L, 3L, 4L);
		assertThat(unlucky.completeNext()).isEqualTo(left);
	}

	@Test
	void whatBeginsAnewBelowTheCursorIsFoundWhenTheRelayBeginsAnew() {
		commit(5);
		this.worker.completeNext();
		this.tables.commit(KEY, KEY);
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 3 WHERE id = 6").update();
		this.worker.store().refresh();
		assertThat(this.worker.completeNext()).containsExactly(3L, 7L);
	}

	// A server that has come back without its last commits has them in the outbox again
	@Test
	void aClaimThatWasLostSendsTheCursorsToTheStart() {
		AtomicBoolean lost = new AtomicBoolean();
		String connection = this.tables.outbox().dialect().sql().connection();
		ClaimWorker unlucky = ClaimWorker.of(
				new RewritingDataSource(this.tables.pool(1),
						(sql) -> lost.get() ? sql.replace("SELECT " + connection + " AS", "SELECT 0 AS") : sql),
				SETTINGS);
		commit(5);
		unlucky.completeNext();
		commit(1);
		try (Claim claim = unlucky.next()) {
			lost.set(true);
			assertThat(claim.renew()).isFalse();
			lost.set(false);
		}
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 3 WHERE id = 6").update();
		assertThat(unlucky.completeNext()).containsExactly(3L);
	}

	@Test
	void aLimitOfTheSessionHidesNothing() {
		OutboxTables.skipOnPostgreSql("no session has such a limit");
		HikariDataSource limited = new HikariDataSource();
		this.tables.pool(1).copyStateTo(limited);
		limited.setConnectionInitSql("SET SESSION sql_select_limit = 3");
		try (limited) {
			ClaimWorker worker = ClaimWorker.of(limited, SETTINGS);
			commit(60);
			try (Claim claim = worker.next()) {
				claim.complete(List.of(1L), List.of());
			}
			assertThat(worker.drain(100).stream().flatMap(List::stream).map(StoredMessage::id).toList())
				.isEqualTo(OutboxTables.positions(2, 60));
			assertThat(worker.jdbc().sql("SELECT @@SESSION.sql_select_limit").query(Long.class).single()).isEqualTo(3);
		}
	}

	@Test
	void aMessageThatIsCommittedLateIsFound() {
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append(KEY);
		this.tables.commit(Keys.in(1), Keys.in(2), Keys.in(3));
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L, 4L);
		assertThat(this.worker.next()).isNull();
		this.tables.commit(late);
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 5L);
	}

	@Test
	void aMessageThatIsCommittedLateInAPartitionThatWasReadBeforeIsFound() {
		this.tables.commit(KEY);
		this.worker.completeNext();
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append(KEY);
		this.tables.commit(Keys.in(1));
		try (Claim claim = this.worker.next()) {
			this.tables.commit(late);
			claim.complete(ClaimWorker.ids(claim), List.of());
		}
		assertThat(this.worker.completeNext()).containsExactly(2L);
	}

	@Test
	void whatIsLeftInTheLaneAndWasTakenByAnotherInstanceIsForgotten() {
		commit(10);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(1L, 2L), List.of());
		}
		assertThat(another().completeNext()).isEqualTo(OutboxTables.positions(3, 10));
		assertThat(this.worker.next()).isNull();
		assertThat(this.worker.store().claims().next()).as("nothing is queued").isNull();
		commit(2);
		assertThat(this.worker.completeNext()).containsExactly(11L, 12L);
	}

	@Test
	void whatIsLeftInTheLaneAndWasTakenInPartByAnotherInstanceIsClaimedFromItsHead() {
		commit(300);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(1L), List.of());
		}
		List<Long> taken = another().completeNext();
		assertThat(taken).startsWith(2L);
		List<Long> all = new ArrayList<>(taken);
		all.addAll(claimedBy(this.worker));
		assertThat(all).isEqualTo(OutboxTables.positions(2, 300));
	}

	private void commit(int messages) {
		this.tables.commit(Collections.nCopies(messages, KEY).toArray(String[]::new));
	}

	private ClaimWorker another() {
		return ClaimWorker.of(this.tables, SETTINGS);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void onAnotherServerAWorkerLooksFromTheStart(boolean colleague) {
		AtomicReference<String> server = new AtomicReference<>("primary");
		commit(5);
		ClaimWorker moving = ClaimWorker.on(this.tables, SETTINGS, server::get);
		assertThat(moving.completeNext()).hasSize(5);
		// A replica that the last commit has not reached
		commit(2);
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 3 WHERE id = 6").update();
		moving.rest();
		server.set("replica");
		assertThat((colleague ? moving.colleague() : moving).completeNext()).containsExactly(3L, 7L);
	}

	@Test
	void whatWasPutBelowTheCursorByHandIsFound() {
		commit(5);
		AtomicLong clock = new AtomicLong(1);
		ClaimWorker patient = ClaimWorker.of(new OutboxDatabase(this.tables.pool(1), "outbox_"), SETTINGS, clock::get);
		assertThat(patient.completeNext()).hasSize(5);
		commit(1);
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 3 WHERE id = 6").update();
		// One partition after the other is read from its start
		List<Long> found = new ArrayList<>();
		for (int poll = 0; poll < 70 && found.isEmpty(); poll++) {
			clock.addAndGet(Duration.ofSeconds(10).toNanos());
			try (Claim claim = patient.next()) {
				found.addAll((claim != null) ? ClaimWorker.ids(claim) : List.of());
			}
		}
		assertThat(found).containsExactly(3L);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 50 })
	void aHotKeyDoesNotHideItsNeighbours(int sentOfAClaim) {
		List<String> keys = Keys.in(PARTITION, 4);
		String hot = keys.get(0);
		this.tables.fillWith(2_000, hot);
		keys.subList(1, 4).forEach((key) -> this.tables.commit(key, key, key));
		List<Long> expected = positionsOf(hot);
		Set<String> neighbours = new HashSet<>(keys.subList(1, 4));
		int claims = 0;
		while (!neighbours.isEmpty() && claims < 100) {
			claims++;
			try (Claim claim = this.worker.next()) {
				List<Long> sent = new ArrayList<>();
				for (KeySequence sequence : claim.sequences()) {
					List<Long> ids = sequence.messages().stream().map(StoredMessage::id).toList();
					if (sequence.messages().get(0).message().partitionKey().equals(hot)) {
						assertThat(ids).isEqualTo(expected.subList(0, ids.size()));
						ids = ids.subList(0, Math.min(sentOfAClaim, ids.size()));
						expected = expected.subList(ids.size(), expected.size());
					}
					sent.addAll(ids);
				}
				claim.complete(sent, List.of());
				neighbours.removeIf((key) -> positionsOf(key).isEmpty());
			}
		}
		assertThat(neighbours).isEmpty();
		assertThat(claims).as("a claim looks at a thousand rows").isLessThanOrEqualTo(4);
		assertThat(claimedBy(this.worker)).isEqualTo(expected);
	}

	// However small a batch is, the cursor keeps up with a burst
	@Test
	void aSmallBatchLooksFarBehindAHotKey() {
		List<String> keys = Keys.in(PARTITION, 2);
		this.tables.fillWith(900, keys.get(0));
		this.tables.commit(keys.get(1));
		ClaimWorker small = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 8));
		for (int claims = 0; claims < 3; claims++) {
			try (Claim claim = small.next()) {
				List<Long> ids = ClaimWorker.ids(claim);
				assertThat(ids).hasSizeLessThanOrEqualTo(8);
				// Of the hot key nothing is sent in time but its head
				List<Long> sent = new ArrayList<>(positionsOf(keys.get(1)));
				sent.retainAll(ids);
				sent.add(ids.get(0));
				claim.complete(sent, List.of());
			}
		}
		assertThat(positionsOf(keys.get(1))).isEmpty();
	}

	@Test
	void aHotKeyGetsALaneOfItsOwnUntilItIsSent() {
		List<String> keys = Keys.in(PARTITION, 2);
		this.tables.fillWith(14_000, keys.get(0));
		this.tables.commit(keys.get(1), keys.get(1));
		List<Long> hot = positionsOf(keys.get(0));
		ClaimWorker large = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 2_000));
		List<Long> sent = new ArrayList<>();
		for (int claims = 0; claims < 9 && !positionsOf(keys.get(1)).isEmpty(); claims++) {
			try (Claim claim = large.next()) {
				List<Long> ids = new ArrayList<>();
				for (KeySequence sequence : claim.sequences()) {
					boolean isHot = sequence.messages().get(0).message().partitionKey().equals(keys.get(0));
					sequence.messages().stream().limit(isHot ? 10 : 2).map(StoredMessage::id).forEach(ids::add);
				}
				claim.complete(ids, List.of());
				ids.stream().filter(hot::contains).forEach(sent::add);
			}
		}
		assertThat(positionsOf(keys.get(1))).isEmpty();
		large.drain(100).stream().flatMap(List::stream).map(StoredMessage::id).forEach(sent::add);
		assertThat(sent).isEqualTo(hot);
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single()).isZero();
	}

	// A read that one key fills hides what is behind it, even if all of it can be sent
	@Test
	void aKeyThatIsSentAsFastAsItIsReadDoesNotHideItsNeighbours() {
		List<String> keys = Keys.in(PARTITION, 2);
		this.tables.fillWith(900, keys.get(0));
		this.tables.commit(keys.get(1));
		long neighbour = positionsOf(keys.get(1)).get(0);
		ClaimWorker small = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 20));
		assertThat(small.completeNext()).doesNotContain(neighbour);
		assertThat(small.completeNext()).contains(neighbour);
	}

	@Test
	void severalHotKeysLeaveRoomForOneAnother() {
		List<String> keys = Keys.in(PARTITION, 4);
		keys.subList(0, 3).forEach((key) -> this.tables.fillWith(300, key));
		this.tables.commit(keys.get(3));
		ClaimWorker small = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 20));
		Set<String> begun = new HashSet<>();
		for (int claims = 0; claims < 8; claims++) {
			try (Claim claim = small.next()) {
				begun.addAll(ClaimWorker.keys(claim));
				claim.complete(claim.sequences().stream().map((sequence) -> sequence.messages().get(0).id()).toList(),
						List.of());
			}
		}
		assertThat(begun).containsExactlyInAnyOrderElementsOf(keys);
		try (Claim claim = small.next()) {
			assertThat(ClaimWorker.keys(claim)).containsExactlyInAnyOrderElementsOf(keys.subList(0, 3));
		}
	}

	@Test
	void neighboursOfAHotKeyAreInOrderAndSentOnce() {
		List<String> keys = Keys.in(PARTITION, 2);
		this.tables.fillWith(150, keys.get(0));
		this.tables.fillWith(50, keys.get(1));
		this.tables.fillWith(100, keys.get(0));
		this.tables.fillWith(50, keys.get(1));
		List<Long> expected = positionsOf(keys.get(1));
		List<Long> neighbour = new ArrayList<>();
		for (int claims = 0; claims < 20 && neighbour.size() < 100; claims++) {
			try (Claim claim = this.worker.next()) {
				List<Long> sent = new ArrayList<>(ClaimWorker.ids(claim));
				List<Long> hot = positionsOf(keys.get(0));
				// Of the hot key its head
				sent.removeAll(hot.subList(1, hot.size()));
				claim.complete(sent, List.of());
				sent.removeAll(hot);
				neighbour.addAll(sent);
			}
		}
		assertThat(neighbour).isEqualTo(expected);
	}

	private List<Long> positionsOf(String key) {
		return this.tables.jdbc()
			.sql("SELECT id FROM outbox_message WHERE partition_key = ? ORDER BY id")
			.param(key)
			.query(Long.class)
			.list();
	}

	// All that was claimed, of which nothing is claimed twice
	private static List<Long> claimedBy(ClaimWorker worker) {
		return worker.drain(100).stream().flatMap(List::stream).map(StoredMessage::id).toList();
	}

	private List<String> statements() {
		return SqlLog.of(this.worker::completeNext)
			.stream()
			.filter((statement) -> statement.startsWith("(select m.id"))
			.toList();
	}

	private List<String> polls() {
		return SqlLog.of(() -> assertThat(this.worker.next()).isNull())
			.stream()
			.filter((statement) -> statement.contains("select null, m.lane"))
			.toList();
	}

	// Up to the last position, which not every database is asked for
	private String lane(long lane, long first) {
		String range = this.tables.outbox().dialect().sql().inLane(lane, first, Long.MAX_VALUE);
		return range.substring(0, range.indexOf(String.valueOf(Long.MAX_VALUE))).toLowerCase(Locale.ROOT);
	}

}
