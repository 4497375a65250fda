/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Operators beside relays, and beside one another.
 */
@Tag("order")
@Timeout(120)
class OperatorRaceTests {

	private static final VerbResult NOTHING = new VerbResult(0, 0, List.of());

	private static final VerbResult ONE_PASSED_OVER = new VerbResult(0, 1, List.of());

	private final OutboxTables tables = new OutboxTables();

	private final OutboxAdministration operator = this.tables.operator(true, (partitions) -> {
	});

	private final OutboxAdministration unordered = this.tables.operator(false, (partitions) -> {
	});

	private final ExecutorService threads = Executors.newFixedThreadPool(6);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aVerbWaitsForTheRelayThatOwnsThePartitionAndThenActs(OperatorVerb verb) throws Exception {
		this.tables.commit("a", "a");
		this.tables.stall("id = 1");
		this.tables.makeDue();
		Future<VerbResult> result;
		try (Claim claim = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100)).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L);
			result = this.threads.submit(() -> this.operator.apply(verb, MessageSelection.all()));
			awaitLockWait();
			assertThat(result).isNotDone();
		}
		assertThat(result.get(20, TimeUnit.SECONDS)).extracting(VerbResult::affected, VerbResult::passedOver)
			.containsExactly(1L, 0L);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aVerbThatHasWaitedLooksAgain(OperatorVerb verb) throws Exception {
		// There, what fails in a claim has failed when the claim began
		assumeThat(Servers.database().isH2()).isFalse();
		this.tables.commit("a", "a", "b");
		this.tables.stall("id IN (1, 3)");
		this.tables.makeDue();
		Future<VerbResult> result;
		try (Claim claim = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100)).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L, 3L);
			result = this.threads.submit(() -> this.operator.apply(verb, MessageSelection.all()));
			awaitLockWait();
			claim.complete(List.of(1L), List.of(FailedMessage.retried(3, "again", Duration.ofHours(1))));
		}
		assertThat(result.get(20, TimeUnit.SECONDS)).as("published, or failed later").isEqualTo(NOTHING);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 3L);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message WHERE id = 3")).containsExactly(4);
	}

	// A second session that waits for a row of a partition
	private void awaitLockWait() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.tables.jdbc()
				.sql(Servers.database()
					.choose("SELECT COUNT(*) FROM information_schema.processlist WHERE db = DATABASE() "
							+ "AND info LIKE 'SELECT p.id FROM JSON_TABLE%' AND info NOT LIKE '%SKIP LOCKED'",
							"SELECT COUNT(*) FROM pg_locks WHERE NOT granted",
							"SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL"))
				.query(Integer.class)
				.single() > 0);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void whatARelayKeepsForLongIsPassedOver(OperatorVerb verb) {
		this.tables.commit("a", "a", "b");
		this.tables.stall("id IN (1, 3)");
		this.tables.jdbc().sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE lane = -1").update();
		this.tables.refreshRetry();
		try (Claim claim = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100)).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L);
			assertThat(this.operator.dryRun(verb, MessageSelection.key("a"))).isEqualTo(ONE_PASSED_OVER);
			assertThat(this.operator.apply(verb, MessageSelection.key("a"))).isEqualTo(ONE_PASSED_OVER);
			VerbResult all = this.operator.apply(verb, MessageSelection.all());
			assertThat(all.affected()).isEqualTo(1);
			assertThat(all.passedOver()).isEqualTo(1);
			claim.complete(List.of(1L), List.of());
		}
		assertThat(this.operator.apply(verb, MessageSelection.key("a"))).as("published meanwhile").isEqualTo(NOTHING);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).contains(2L).doesNotContain(1L);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).doesNotContain(1L);
	}

	@Test
	void aCallWaitsOnceForAPartitionThatARelayKeepsForLong() {
		this.tables.fill(1500, 1500);
		this.tables.stall("TRUE");
		int kept = this.tables.partition("filler-0");
		int keys = this.tables
			.column(Long.class, "id", "outbox_parked JOIN outbox_message USING (lane) WHERE partition_id = " + kept)
			.size();
		TransactionStatus relay = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.own(kept);
		List<String> statements = SqlLog.of(() -> {
			VerbResult result = this.operator.retry(MessageSelection.all());
			assertThat(result.affected()).isEqualTo(1500 - keys);
			assertThat(result.passedOver()).isEqualTo(keys);
		});
		this.tables.commit(relay);
		List<String> waits = statements.stream()
			.filter((statement) -> statement.startsWith("select p.id from") && !statement.endsWith("skip locked"))
			.toList();
		assertThat(waits).hasSizeGreaterThan(3);
		OutboxTables.skipOnPostgreSql("the log does not show what a statement binds");
		assertThat(waits).filteredOn((statement) -> statement.matches(".*[\\[ ]%d[,\\]].*".formatted(kept))).hasSize(1);
	}

	@Test
	void aRelayDoesNotWaitForAnOperatorWhoWaitsForAnother() throws Exception {
		List<String> keys = Stream.of("a", "b").sorted(Comparator.comparing(this.tables::partition)).toList();
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		ClaimWorker relay = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.own(this.tables.partition(keys.get(1)));
		Future<VerbResult> result = this.threads.submit(() -> this.operator.retry(MessageSelection.all()));
		awaitLockWait();
		relay.store().committed(Set.of(this.tables.partition(keys.get(0))));
		assertThat(relay.next()).as("what the operator has locked").isNull();
		this.tables.commit(other);
		assertThat(result.get(20, TimeUnit.SECONDS).affected()).isEqualTo(2);
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
			relay.drain(5);
			return this.tables.depth() == 0;
		});
	}

	@Test
	void aDryRunLeavesNothingLocked() {
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		this.tables.makeDue();
		assertThat(this.operator.dryRun(OperatorVerb.SKIP, MessageSelection.all()).affected()).isEqualTo(2);
		try (Claim claim = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100)).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L);
		}
	}

	@Test
	void aDeadLetterInTheHandsOfAnotherOperatorIsPassedOverAndThoseBehindItInItsKeyWithIt() {
		this.tables.commit("a", "a", "b", "", "");
		this.tables.stallEach("TRUE");
		this.unordered.skip(MessageSelection.all());
		TransactionStatus other = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		// One by one: for a list some servers lock the whole of a small table
		for (int id : List.of(1, 4)) {
			this.tables.jdbc()
				.sql("SELECT id FROM outbox_dead_letter WHERE id = ? FOR UPDATE")
				.param(id)
				.query()
				.listOfRows();
		}
		VerbResult foretold = this.operator.dryRun(OperatorVerb.REQUEUE, MessageSelection.all());
		assertThat(this.operator.requeue(MessageSelection.all())).isEqualTo(foretold).satisfies((result) -> {
			assertThat(result.affected()).isEqualTo(2);
			assertThat(result.passedOver()).isEqualTo(3);
		});
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L, 2L, 4L);
		VerbResult discarded = this.operator.discard(MessageSelection.all());
		assertThat(discarded.affected()).isEqualTo(1);
		assertThat(discarded.passedOver()).isEqualTo(2);
		this.tables.commit(other);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L, 4L);
	}

	@Test
	void operatorsWhoSkipTheSameAtTheSameTimeSkipEachHeadOnce() throws Exception {
		this.tables.fill(4000, 2000);
		this.tables.stall("id <= 2000");
		List<Future<VerbResult>> results = together(4, () -> this.operator.skip(MessageSelection.all()));
		long affected = 0;
		for (Future<VerbResult> result : results) {
			affected += result.get(60, TimeUnit.SECONDS).affected();
		}
		affected += this.operator.skip(MessageSelection.all()).affected();
		assertThat(affected).isEqualTo(2000);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).hasSize(2000);
		assertThat(this.tables.depth()).isEqualTo(2000);
		assertThat(this.operator.list(MessageState.STALLED, MessageSelection.all(), null, 10).messages()).isEmpty();
	}

	@Test
	void operatorsWhoRequeueTheSameAtTheSameTimeKeepTheOrderOfEachKey() throws Exception {
		this.tables.fill(3000, 40);
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET routing_key = LPAD(TRIM(CAST(id AS CHAR(20))), 10, '0')")
			.update();
		this.tables.stallEach("TRUE");
		this.unordered.skip(MessageSelection.all());
		for (Future<VerbResult> result : together(4, () -> this.operator.requeue(MessageSelection.all()))) {
			result.get(60, TimeUnit.SECONDS);
		}
		this.operator.requeue(MessageSelection.all());
		assertThat(this.tables.depth()).isEqualTo(3000);
		for (int key = 0; key < 40; key++) {
			assertThat(this.tables.column(String.class, "routing_key",
					"outbox_message WHERE partition_key = 'filler-%d'".formatted(key)))
				.hasSize(75)
				.isSorted();
		}
	}

	@Test
	void whatIsSkippedWhileRelaysPublishIsEitherPublishedOrDead() throws Exception {
		int messages = 4000;
		this.tables.fill(messages, 400);
		Set<Long> published = ConcurrentHashMap.newKeySet();
		List<Long> twice = Collections.synchronizedList(new ArrayList<>());
		AtomicBoolean over = new AtomicBoolean();
		List<Future<?>> relays = new ArrayList<>();
		for (int number = 0; number < 3; number++) {
			ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 40));
			int odd = number;
			relays.add(this.threads.submit(() -> {
				while (this.tables.depth() > 0) {
					relay(worker, odd, published, twice);
				}
			}));
		}
		Future<Long> skips = this.threads.submit(() -> {
			long count = 0;
			while (!over.get()) {
				count += this.operator.skip(MessageSelection.all()).affected();
			}
			return count;
		});
		for (Future<?> relay : relays) {
			relay.get(60, TimeUnit.SECONDS);
		}
		over.set(true);
		long skipped = skips.get(20, TimeUnit.SECONDS);
		List<Long> dead = this.tables.column(Long.class, "position", "outbox_dead_letter");
		assertThat(twice).isEmpty();
		assertThat(dead).hasSize((int) skipped).isNotEmpty().doesNotContainAnyElementsOf(published);
		assertThat(published.size() + dead.size()).isEqualTo(messages);
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single()).isZero();
	}

	// The head of every third key fails and is due again at once
	private static void relay(ClaimWorker worker, int odd, Set<Long> published, List<Long> twice) {
		try (Claim claim = worker.next()) {
			if (claim == null) {
				return;
			}
			List<Long> sent = new ArrayList<>();
			List<FailedMessage> failed = new ArrayList<>();
			for (KeySequence sequence : claim.sequences()) {
				long head = sequence.messages().get(0).id();
				if (head % 3 == odd && sequence.messages().get(0).attempts() < 5) {
					failed.add(FailedMessage.retried(head, "returned", Duration.ZERO));
				}
				else {
					sequence.messages().forEach((message) -> sent.add(message.id()));
				}
			}
			sent.stream().filter((id) -> !published.add(id)).forEach(twice::add);
			claim.complete(sent, failed);
		}
	}

	private List<Future<VerbResult>> together(int operators, Callable<VerbResult> call) throws InterruptedException {
		return this.threads.invokeAll(Collections.nCopies(operators, call));
	}

}
