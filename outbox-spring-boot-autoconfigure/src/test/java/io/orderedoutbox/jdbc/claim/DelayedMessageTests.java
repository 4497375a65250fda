/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.backlog.JdbcBacklogReader;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages that are not sent before their time, by the clock of the database, seen by one
 * worker.
 */
@Tag("order")
@Timeout(60)
class DelayedMessageTests {

	private static final Delay NONE = Delay.NONE;

	private static final Delay HOUR = Delay.of(Duration.ofHours(1));

	private static final List<String> KEYS = Keys.in(23, 3);

	private static final String KEY = KEYS.get(0);

	private static final String NEIGHBOUR = KEYS.get(1);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = worker(100);

	private boolean ordered = true;

	@AfterEach
	void close() {
		try {
			assertThat(LaneRules.broken(this.tables.jdbc(), this.ordered)).isEmpty();
		}
		finally {
			this.tables.close();
		}
	}

	private ClaimWorker worker(int batchSize) {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, batchSize));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void theDelayIsCountedFromTheMomentInWhichTheMessageIsStored(boolean alone) {
		append(true, message(KEY, Delay.of(Duration.ofMillis(90_061_001))));
		append(false, alone ? new Message[] { message(KEY, HOUR) }
				: new Message[] { message("", HOUR), message(NEIGHBOUR, NONE) });
		String delay = this.tables.outbox().dialect().sql().between("created_at", "available_at");
		assertThat(this.tables.column(Long.class, delay, "outbox_message")).startsWith(90_061_001_000L, 3_600_000_000L)
			.endsWith(alone ? 3_600_000_000L : 0L);
	}

	@Test
	void aTimeIsThatOfTheClockOfTheDatabase() {
		Instant time = Instant.parse("2951-02-03T04:05:06.789012Z");
		append(true, message(KEY, Delay.until(time)));
		append(true, message(KEY, Delay.until(time)), message(NEIGHBOUR, Delay.until(Instant.MIN)),
				message(NEIGHBOUR, Delay.until(Instant.EPOCH.plusSeconds(1))));
		String available = SqlFragments.choose("available_at = created_at", "'at once'",
				this.tables.outbox().dialect().sql().textOfTime("available_at"));
		assertThat(this.tables.column(String.class, available, "outbox_message"))
			.containsExactly("2951-02-03 04:05:06.789012", "2951-02-03 04:05:06.789012", "at once", "at once");
	}

	@Test
	void whatIsBehindADelayedMessageInItsKeyWaitsForItsTime() {
		append(true, message(KEY, NONE), message(KEY, HOUR), message(NEIGHBOUR, NONE), message(KEY, NONE));
		assertThat(this.worker.completeNext()).containsExactlyInAnyOrder(1L, 3L);
		assertThat(lanes()).containsExactly(-2L, -2L);
		assertThat(this.worker.next()).isNull();
		assertThat(SqlLog.of(() -> assertThat(this.worker.next()).isNull())).as("the poll").hasSize(1);
		append(true, message(KEY, NONE), message(NEIGHBOUR, NONE));
		assertThat(this.worker.completeNext()).containsExactly(6L);
		assertThat(this.worker.next()).isNull();
		assertThat(lanes()).containsExactly(-2L, -2L, -2L);
		letItsTimeCome(2);
		assertThat(this.worker.completeNext()).containsExactly(2L, 4L, 5L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void itsKeyIsParkedLikeOneWhoseRetryIsAtThatTime() {
		append(true, message(KEY, HOUR));
		assertThat(this.worker.next()).isNull();
		assertThat(this.tables.jdbc()
			.sql("""
					SELECT k.is_delayed AND k.available_at = m.available_at AND p.retry_at = m.available_at
					FROM outbox_message m JOIN outbox_parked k ON k.lane = m.lane JOIN outbox_partition p ON p.id = k.partition_id
					WHERE m.attempts = 0 AND m.failed_at IS NULL""")
			.query(Boolean.class)
			.single()).isTrue();
	}

	@Test
	void itIsClaimedWhenItsTimeHasComeWithoutAnybodySayingSo() {
		append(true, message(KEY, Delay.of(Duration.ofMillis(700))), message(KEY, NONE));
		assertThat(this.worker.next()).isNull();
		List<Long> claimed = new ArrayList<>();
		Awaitility.await().until(() -> {
			try (Claim claim = this.worker.next()) {
				if (claim != null) {
					claimed.addAll(ClaimWorker.ids(claim));
					assertThat(this.tables.jdbc()
						.sql("SELECT available_at <= UTC_TIMESTAMP(6) FROM outbox_message WHERE id = 1")
						.query(Boolean.class)
						.single()).isTrue();
					claim.complete(claimed, List.of());
				}
			}
			return !claimed.isEmpty();
		});
		assertThat(claimed).containsExactly(1L, 2L);
	}

	@Test
	void oneAfterTheOtherWaitsForItsOwnTime() {
		append(true, message(KEY, HOUR), message(KEY, NONE), message(KEY, Delay.of(Duration.ofHours(2))),
				message(KEY, NONE));
		assertThat(this.worker.next()).isNull();
		letItsTimeCome(1);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		assertThat(this.worker.next()).isNull();
		assertThat(lanes()).containsExactly(-1L, -1L);
		assertThat(this.tables.jdbc()
			.sql("SELECT k.is_delayed AND k.available_at = m.available_at FROM outbox_parked k, outbox_message m WHERE m.id = 3")
			.query(Boolean.class)
			.single()).isTrue();
		letItsTimeCome(3);
		assertThat(this.worker.completeNext()).containsExactly(3L, 4L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void nothingWaitsForAMessageThatIsBoundToNoOrder(boolean inOrderedMode) {
		this.ordered = inOrderedMode;
		ClaimWorker unbound = ClaimWorker.of(this.tables, ClaimWorker.settings(inOrderedMode, 100));
		String key = inOrderedMode ? "" : KEY;
		append(inOrderedMode, message(key, HOUR), message(key, NONE), message(key, HOUR), message(key, NONE));
		assertThat(unbound.completeNext()).containsExactly(2L, 4L);
		append(inOrderedMode, message(key, NONE));
		assertThat(unbound.completeNext()).containsExactly(5L);
		assertThat(lanes()).containsExactly(-1L, -3L);
		letItsTimeCome(3);
		assertThat(unbound.completeNext()).containsExactly(3L);
		assertThat(parked()).containsExactly(-1L);
	}

	@Test
	void whenItFailsAfterItsTimeItIsRetriedLikeAnyOther() {
		append(true, message(KEY, HOUR), message(KEY, NONE));
		assertThat(this.worker.next()).isNull();
		letItsTimeCome(1);
		complete(FailedMessage.retried(1, "returned", Duration.ofHours(1)));
		assertThat(delayed()).containsExactly(false);
		assertThat(this.worker.next()).isNull();
		this.tables.makeDue();
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void whatFailsBeforeItDoesNotWaitForIt() {
		append(true, message(KEY, NONE), message(KEY, HOUR), message(KEY, NONE));
		complete(FailedMessage.retried(1, "returned", Duration.ofHours(1)));
		assertThat(delayed()).containsExactly(false);
		this.tables.makeDue();
		assertThat(this.worker.completeNext()).containsExactly(1L);
		assertThat(this.worker.next()).isNull();
		assertThat(delayed()).containsExactly(true);
	}

	@Test
	void aDeadLetterBeforeItLetsItWaitForItsTime() {
		append(true, message(KEY, NONE), message(KEY, HOUR), message(KEY, NONE));
		complete(FailedMessage.deadLetter(1, "given up"));
		assertThat(this.worker.next()).isNull();
		assertThat(delayed()).containsExactly(true);
		assertThat(lanes()).containsExactly(-2L, -2L);
	}

	@Test
	void manyDelayedMessagesDoNotHideWhatIsBehindThem() {
		append(true, IntStream.range(0, 300).mapToObj((i) -> message("", HOUR)).toArray(Message[]::new));
		append(true, IntStream.range(0, 300).mapToObj((i) -> message(KEY, HOUR)).toArray(Message[]::new));
		this.tables.commit(NEIGHBOUR);
		ClaimWorker small = worker(10);
		assertThat(small.drain(300).stream().flatMap(List::stream).map(StoredMessage::id).toList())
			.containsExactly(601L);
		assertThat(lanes()).allMatch((lane) -> lane < 0).hasSize(600);
		assertThat(parked()).hasSize(301);
	}

	@Test
	void aClockThatGoesBackMakesItWaitAgain() {
		append(true, message(KEY, HOUR), message(KEY, NONE));
		assertThat(this.worker.next()).isNull();
		this.tables.makeDue();
		assertThat(this.worker.next()).as("the key is due, the message is not").isNull();
		assertThat(this.tables.jdbc()
			.sql("SELECT k.available_at = m.available_at FROM outbox_parked k, outbox_message m WHERE m.id = 1")
			.query(Boolean.class)
			.single()).isTrue();
	}

	@Test
	void whatIsNotDelayedWaitsForNoClock() {
		append(true, message(KEY, NONE));
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET available_at = %1$s, created_at = %1$s"
				.formatted(later("created_at", Duration.ofHours(1))))
			.update();
		assertThat(this.worker.completeNext()).containsExactly(1L);
	}

	@Test
	void aTransactionMovesNoMoreBytesThanABatchHoweverManyAreDelayed() {
		int size = 2_000;
		append(true,
				IntStream.range(0, 1_000).mapToObj((any) -> sized(message("", HOUR), size)).toArray(Message[]::new));
		JdbcTemplate uncommitted = new JdbcTemplate(this.tables.withoutPool());
		uncommitted.execute("SET SESSION %s TRANSACTION ISOLATION LEVEL READ UNCOMMITTED"
			.formatted(Servers.database().choose("", "", "CHARACTERISTICS AS")));
		List<Integer> parked = new ArrayList<>(List.of(0));
		ClaimWorker worker = ClaimWorker.of(
				OutboxTables.interrupted(this.tables.pool(1), "commit",
						() -> parked.add(uncommitted
							.queryForObject("SELECT COUNT(*) FROM outbox_message WHERE lane < 0", Integer.class))),
				new ClaimSettings(true, 100, DataSize.ofBytes(20 * size), Duration.ofSeconds(30), Duration.ZERO));
		assertThat(worker.next()).isNull();
		assertThat(parked).last().isEqualTo(1_000);
		for (int commit = 1; commit < parked.size(); commit++) {
			assertThat(parked.get(commit) - parked.get(commit - 1)).isLessThanOrEqualTo(20);
		}
	}

	@Test
	void manyLargeOnesThatAreDueTogetherLeaveOthersHalfOfABatch() {
		int size = 2_000;
		append(true, IntStream.range(0, 100).mapToObj((any) -> sized(message("", HOUR), size)).toArray(Message[]::new));
		ClaimWorker worker = ClaimWorker.of(this.tables,
				new ClaimSettings(true, 1_000, DataSize.ofBytes(20 * size), Duration.ofSeconds(30), Duration.ZERO));
		assertThat(worker.drain(10)).isEmpty();
		assertThat(lanes()).hasSize(100).allMatch((lane) -> lane < 0);
		letAllTimesCome();
		append(true, IntStream.range(0, 20).mapToObj((any) -> sized(message("", NONE), size)).toArray(Message[]::new));
		try (Claim claim = worker.next()) {
			assertThat(ClaimWorker.ids(claim)).hasSize(20);
			assertThat(ClaimWorker.ids(claim)).filteredOn((id) -> id <= 100).as("those that are due").hasSize(10);
		}
	}

	@Test
	void aLargeOneThatIsDueIsNotPassedOverForEver() {
		int size = 2_000;
		append(true, sized(message("", HOUR), 15 * size));
		ClaimWorker worker = ClaimWorker.of(this.tables,
				new ClaimSettings(true, 1_000, DataSize.ofBytes(20 * size), Duration.ofSeconds(30), Duration.ZERO));
		assertThat(worker.next()).isNull();
		letAllTimesCome();
		append(true, IntStream.range(0, 40).mapToObj((any) -> sized(message("", NONE), size)).toArray(Message[]::new));
		try (Claim claim = worker.next()) {
			assertThat(ClaimWorker.ids(claim)).contains(1L, 2L);
		}
	}

	@Test
	void oneThatAnotherTransactionHasLockedKeepsNoClaimWaiting() {
		append(true, message(KEY, HOUR));
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.jdbc().sql("SELECT id FROM outbox_message FOR UPDATE").query(Long.class).single();
		CompletableFuture<@Nullable Claim> claim = CompletableFuture.supplyAsync(this.worker.colleague()::next);
		assertThat(claim).as("waits for no lock").succeedsWithin(Duration.ofSeconds(2)).isNull();
		assertThat(lanes()).containsExactly(23L);
		this.tables.commit(transaction);
		Awaitility.await().until(() -> {
			assertThat(this.worker.next()).isNull();
			return lanes().get(0) < 0;
		});
	}

	@Test
	void whatIsBehindADelayedMessageOfAnotherKeyCountsForTheLag() {
		append(true, message(KEY, HOUR), message(NEIGHBOUR, NONE));
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET created_at = %s, available_at = %s"
				.formatted(later("created_at", Duration.ofDays(-1)), later("available_at", Duration.ofDays(-1))))
			.update();
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET available_at = %s WHERE id = 1"
				.formatted(later("available_at", Duration.ofDays(2))))
			.update();
		assertThat(new JdbcBacklogReader(this.tables.outbox()).read().lag()).isGreaterThan(Duration.ofHours(20));
		assertThat(this.worker.completeNext()).containsExactly(2L);
		assertThat(new JdbcBacklogReader(this.tables.outbox()).read().lag()).isZero();
	}

	@Test
	void aKeyWhoseDelayedMessageWasTakenAwayGoesOnWhenItIsDue() {
		append(true, message(KEY, HOUR));
		assertThat(this.worker.next()).isNull();
		this.tables.jdbc().sql("DELETE FROM outbox_message").update();
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		this.tables.makeDue();
		assertThat(this.worker.completeNext()).containsExactly(2L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void aClaimSaysSinceWhenItCouldBeSent() {
		append(true, message(KEY, Delay.of(Duration.ofMillis(1))), message(NEIGHBOUR, NONE));
		Awaitility.await().until(() -> {
			try (Claim claim = this.worker.next()) {
				return claim.sequences().size() == 2;
			}
		});
		try (Claim claim = this.worker.next()) {
			StoredMessage delayed = claim.sequences().get(0).messages().get(0);
			assertThat(delayed.availableAt()).isEqualTo(delayed.createdAt().plusMillis(1));
			StoredMessage other = claim.sequences().get(1).messages().get(0);
			assertThat(other.availableAt()).isEqualTo(other.createdAt());
		}
	}

	private void append(boolean inOrderedMode, Message... messages) {
		new JdbcOutboxStore(this.tables.outbox(), inOrderedMode).append(Arrays.asList(messages));
	}

	private static Message message(String key, Delay delay) {
		Message message = OutboxTables.message(key);
		return new Message(message.messageId(), message.name(), message.partitionKey(), message.destination(),
				message.contentType(), message.payload(), message.headers(), delay);
	}

	private static Message sized(Message message, int size) {
		return message.withPayload(new byte[size]);
	}

	private void complete(FailedMessage failed) {
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(failed));
		}
	}

	// As the clock would do it
	private void letItsTimeCome(long id) {
		String now = this.tables.outbox().dialect().sql().now();
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET available_at = %s WHERE id = ? AND lane < 0".formatted(now))
			.param(id)
			.update();
		this.tables.jdbc()
			.sql("UPDATE outbox_parked SET available_at = %s WHERE lane = (SELECT m.lane FROM outbox_message m WHERE m.id = ?)"
				.formatted(now))
			.param(id)
			.update();
		this.tables.refreshRetry();
	}

	private void letAllTimesCome() {
		String now = this.tables.outbox().dialect().sql().now();
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = %s".formatted(now)).update();
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = %s".formatted(now)).update();
		this.tables.refreshRetry();
	}

	private String later(String column, Duration duration) {
		return this.tables.outbox().dialect().sql().after(String.valueOf(duration.toNanos() / 1_000), column);
	}

	private List<Long> lanes() {
		return this.tables.column(Long.class, "lane", "outbox_message");
	}

	private List<Long> parked() {
		return this.tables.jdbc().sql("SELECT lane FROM outbox_parked ORDER BY lane DESC").query(Long.class).list();
	}

	private List<Boolean> delayed() {
		return this.tables.jdbc().sql("SELECT is_delayed FROM outbox_parked").query(Boolean.class).list();
	}

}
