/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What each verb does, to which messages, and what it leaves alone.
 */
@Timeout(90)
class OperatorVerbTests {

	private static final String STATE = """
			SELECT 'message' AS place, id, message_id, attempts, last_error, failed_at, available_at FROM outbox_message
			UNION ALL SELECT 'dead', id, message_id, attempts, last_error, failed_at, dead_at FROM outbox_dead_letter
			UNION ALL SELECT 'parked', lane, '', partition_id, partition_key, available_at, NULL FROM outbox_parked
			UNION ALL SELECT 'partition', id, '', 0, '', retry_at, NULL FROM outbox_partition ORDER BY 1, 2""";

	private final OutboxTables tables = new OutboxTables();

	private final List<Set<Integer>> wakes = new ArrayList<>();

	private final OutboxAdministration operator = this.tables.operator(true, this.wakes::add);

	private final OutboxAdministration unordered = this.tables.operator(false, (partitions) -> {
	});

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));

	@AfterEach
	void close() {
		this.tables.close();
	}

	static Stream<Arguments> everyVerbAndSelection() {
		return Stream.of(OperatorVerb.values())
			.filter((verb) -> verb != OperatorVerb.RELEASE)
			.flatMap((verb) -> Stream.of(Arguments.of(verb, "message", List.of("b")),
					Arguments.of(verb, "key", List.of("a")), Arguments.of(verb, "no key", List.of("", "")),
					Arguments.of(verb, "name", List.of("b")), Arguments.of(verb, "group", List.of("b")),
					Arguments.of(verb, "all", List.of("a", "b", "", ""))));
	}

	@ParameterizedTest
	@MethodSource("everyVerbAndSelection")
	void aVerbAffectsWhatIsSelectedAndADryRunTellsIt(OperatorVerb verb, String selected, List<String> keys) {
		this.tables.commit("a", "a", "b", "b", "", "", "", "c", "c");
		this.tables.jdbc().sql("UPDATE outbox_message SET name = 'order.lost' WHERE partition_key = 'b'").update();
		this.tables.stall("id IN (1, 5)");
		this.tables.block("id IN (3, 6)");
		this.tables.jdbc().sql("UPDATE outbox_message SET last_error = 'order 17 is locked' WHERE id = 3").update();
		Map<Long, String> messageIds = messageIds();
		MessageSelection selection = switch (selected) {
			case "message" -> MessageSelection.message(messageIds.get(3L));
			case "key" -> MessageSelection.key("a");
			case "no key" -> MessageSelection.withoutKey();
			case "name" -> MessageSelection.name("order.lost");
			case "group" -> MessageSelection.group("queue 'nowhere': order # is locked");
			default -> MessageSelection.all();
		};
		boolean ofTheDead = verb == OperatorVerb.REQUEUE || verb == OperatorVerb.DISCARD;
		if (ofTheDead) {
			assertThat(this.operator.skip(MessageSelection.all()).affected()).isEqualTo(4);
		}
		List<String> expected = Map.of(1L, "a", 3L, "b", 5L, "", 6L, "")
			.entrySet()
			.stream()
			.filter((entry) -> keys.contains(entry.getValue()))
			.map((entry) -> messageIds.get(entry.getKey()))
			.toList();
		List<Map<String, Object>> before = state();

		VerbResult foretold = this.operator.dryRun(verb, selection);
		assertThat(state()).as("after the dry run").isEqualTo(before);
		VerbResult result = this.operator.apply(verb, selection);

		assertThat(foretold).isEqualTo(result);
		assertThat(result.affected()).isEqualTo(keys.size());
		assertThat(result.passedOver()).isZero();
		assertThat(result.messageIds()).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(changed(before)).containsExactlyInAnyOrderElementsOf(expected);
		assertThat(this.operator.apply(verb, selection)).as("again").isEqualTo(new VerbResult(0, 0, List.of()));
	}

	private Map<Long, String> messageIds() {
		return this.tables.jdbc()
			.sql("SELECT id, message_id FROM outbox_message")
			.query((row, index) -> Map.entry(row.getLong("id"), row.getString("message_id")))
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private List<Map<String, Object>> state() {
		return this.tables.jdbc().sql(STATE).query().listOfRows();
	}

	private List<Object> changed(List<Map<String, Object>> before) {
		List<Map<String, Object>> after = state();
		return Stream
			.concat(before.stream().filter((row) -> !after.contains(row)),
					after.stream().filter((row) -> !before.contains(row)))
			.map((row) -> row.get("message_id"))
			.filter((id) -> !id.equals(""))
			.distinct()
			.toList();
	}

	@Test
	void aRetriedMessageIsAsIfItHadNeverFailed() {
		this.tables.commit("a", "a");
		this.tables.block("id = 1");
		assertThat(this.worker.next()).isNull();
		this.operator.retry(MessageSelection.key("a"));
		assertThat(this.tables.jdbc().sql("""
				SELECT attempts = 0 AND last_error IS NULL AND failed_at IS NULL AND k.available_at <= UTC_TIMESTAMP(6)
				AND p.retry_at = k.available_at FROM outbox_message m JOIN outbox_parked k ON k.lane = m.lane
				JOIN outbox_partition p ON p.id = k.partition_id WHERE m.id = 1""").query(Boolean.class).single())
			.isTrue();
		assertThat(list(MessageState.BLOCKED, MessageSelection.all())).isEmpty();
		assertThat(list(MessageState.STALLED, MessageSelection.all())).isEmpty();
		assertThat(drained()).containsExactly(1L, 2L);
		assertThat(lanes()).isEmpty();
	}

	@Test
	void aRetriedMessageThatFailsAgainIsListedAgain() {
		this.tables.commit("a");
		this.tables.stall("id = 1");
		this.operator.retry(MessageSelection.all());
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "again", Duration.ofHours(1))));
		}
		assertThat(list(MessageState.STALLED, MessageSelection.all())).hasSize(1);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(1);
	}

	@Test
	void aSkippedHeadLeavesItsLaneToTheNextInOrder() {
		this.tables.commit("a", "a", "a");
		this.tables.block("id = 1");
		this.tables.commit("a");
		this.operator.skip(MessageSelection.key("a"));
		assertThat(lanes()).as("still parked").containsExactly(-1L);
		assertThat(this.tables.jdbc()
			.sql("SELECT retry_at <= UTC_TIMESTAMP(6) FROM outbox_partition WHERE id = ?")
			.param(this.tables.partition("a"))
			.query(Boolean.class)
			.single()).as("due at once").isTrue();
		assertThat(drained()).containsExactly(2L, 3L, 4L);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L);
		assertThat(lanes()).isEmpty();
	}

	@Test
	void aLaneInWhichNothingIsLeftIsClosedAndItsKeyGoesOn() {
		this.tables.commit("a");
		this.tables.block("id = 1");
		this.tables.commit("a");
		this.operator.skip(MessageSelection.key("a"));
		assertThat(lanes()).isEmpty();
		assertThat(this.tables.column(Integer.class, "id", "outbox_partition WHERE retry_at IS NOT NULL")).isEmpty();
		assertThat(drained()).containsExactly(2L);
	}

	private List<Long> lanes() {
		return this.tables.jdbc().sql("SELECT lane FROM outbox_parked ORDER BY lane DESC").query(Long.class).list();
	}

	@Test
	void aSkipTakesOneMessageOfAKeyAlsoWhenTheNextFailsMeanwhile() {
		this.tables.commit("a");
		this.tables.fillWith(600, "");
		this.tables.stall("TRUE");
		this.tables.commit("a");
		OutboxAdministration interrupted = this.tables.operator(true, (partitions) -> {
			if (this.wakes.isEmpty() && partitions.contains(this.tables.partition("a"))) {
				this.tables.stall("partition_key = 'a'");
				this.wakes.add(partitions);
			}
		});
		assertThat(interrupted.skip(MessageSelection.all()).affected()).isEqualTo(601);
		assertThat(this.wakes).hasSize(1);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly("a");
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(3);
	}

	@Test
	void aRequeuedMessageIsTheSameAtTheTail() {
		this.tables.commit("a", "a");
		String columns = "message_id, name, partition_key, exchange, routing_key, content_type, HEX(payload), headers, created_at";
		this.tables.jdbc().sql("UPDATE outbox_message SET headers = '{\"x\": \"y\"}' WHERE id = 1").update();
		Map<String, Object> before = this.tables.jdbc()
			.sql("SELECT " + columns + " FROM outbox_message WHERE id = 1")
			.query()
			.singleRow();
		this.tables.stall("id = 1");
		this.operator.skip(MessageSelection.all());
		this.tables.commit("a");
		this.operator.requeue(MessageSelection.all());
		List<Long> positions = this.tables.column(Long.class, "id", "outbox_message");
		assertThat(positions).hasSize(3).startsWith(2L, 3L);
		assertThat(this.tables.jdbc()
			.sql("SELECT " + columns + " FROM outbox_message WHERE id = ?")
			.param(positions.get(2))
			.query()
			.singleRow()).isEqualTo(before);
		assertThat(this.tables.jdbc()
			.sql("SELECT attempts = 0 AND last_error IS NULL AND failed_at IS NULL FROM outbox_message WHERE id = ?")
			.param(positions.get(2))
			.query(Boolean.class)
			.single()).isTrue();
		assertThat(drained()).isEqualTo(positions);
	}

	@Test
	void deadLettersOfAKeyThatAreRequeuedTogetherKeepTheirOrder() {
		this.tables.fill(1500, 3);
		this.tables.jdbc().sql("UPDATE outbox_message SET message_id = LPAD(CAST(id AS CHAR(20)), 36, '0')").update();
		List<String> inOrder = this.tables.column(String.class, "message_id", "outbox_message");
		this.tables.stallEach("TRUE");
		this.unordered.skip(MessageSelection.all());
		assertThat(this.tables.depth()).isZero();
		VerbResult result = this.operator.requeue(MessageSelection.all());
		assertThat(result.affected()).isEqualTo(1500);
		assertThat(result.messageIds()).isEqualTo(inOrder.subList(0, VerbResult.MAX_IDS));
		assertThat(this.tables.column(String.class, "message_id", "outbox_message")).isEqualTo(inOrder);
	}

	@Test
	void theStatementThatRequeuesSortsByItself() {
		this.tables.fill(50, 1);
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET routing_key = LPAD(TRIM(CAST(id AS CHAR(20))), 10, '0')")
			.update();
		this.tables.stallEach("TRUE");
		this.unordered.skip(MessageSelection.all());
		List<Long> ids = new ArrayList<>(this.tables.column(Long.class, "id", "outbox_dead_letter"));
		Collections.shuffle(ids, new Random(1));
		this.tables.jdbc()
			.sql(new AdministrationStatements(this.tables.outbox(), true).requeue)
			.param(ids.stream().map((id) -> "[7,%d]".formatted(id)).toList().toString())
			.update();
		assertThat(this.tables.column(String.class, "routing_key", "outbox_message")).hasSize(50).isSorted();
	}

	@Test
	void aRequeueWaitsForTheWritersOfItsKeysAndNoOthers() throws Exception {
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		TransactionStatus writer = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		CompletableFuture<VerbResult> requeue = CompletableFuture
			.supplyAsync(() -> this.operator.requeue(MessageSelection.key("a")), OWN_THREAD);
		CompletableFuture<VerbResult> other = CompletableFuture
			.supplyAsync(() -> this.operator.requeue(MessageSelection.key("b")), OWN_THREAD);
		assertThat(other.get(20, TimeUnit.SECONDS).affected()).isEqualTo(1);
		Awaitility.await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(10)).until(() -> !requeue.isDone());
		this.tables.commit(writer);
		assertThat(requeue.get(20, TimeUnit.SECONDS).affected()).isEqualTo(1);
		assertThat(this.tables.column(String.class, "message_id", "outbox_message WHERE partition_key = 'a'"))
			.hasSize(2)
			.endsWith(requeue.get().messageIds().get(0));
	}

	@Test
	void aWriterOfTheSamePartitionWaitsForARequeue() throws Exception {
		this.tables.commit("a");
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		CompletableFuture<Void> writer = new CompletableFuture<>();
		OutboxAdministration interrupted = new JdbcOutboxAdministration(
				new OutboxDatabase(OutboxTables.interrupted(this.tables.pool(2), "commit", () -> {
					if (this.tables.depth() == 0 && isStripeLocked("a")) {
						CompletableFuture.runAsync(() -> this.tables.commit("a"), OWN_THREAD)
							.whenComplete((nothing, ex) -> writer.complete(null));
						Awaitility.await()
							.during(Duration.ofMillis(300))
							.atMost(Duration.ofSeconds(10))
							.until(() -> !writer.isDone());
					}
				}), "outbox_"), true, this.wakes::add);
		VerbResult result = interrupted.requeue(MessageSelection.all());
		writer.get(20, TimeUnit.SECONDS);
		assertThat(this.tables.column(String.class, "message_id", "outbox_message")).hasSize(2)
			.startsWith(result.messageIds().get(0));
	}

	private boolean isStripeLocked(String key) {
		return this.tables.jdbc()
			.sql("SELECT id FROM outbox_stripe WHERE id = ? FOR UPDATE SKIP LOCKED")
			.param(this.tables.partition(key))
			.query(Integer.class)
			.optional()
			.isEmpty();
	}

	@Test
	void whatHasNoKeyIsRequeuedToAPartitionThatIsFree() throws Exception {
		this.tables.commit("");
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		TransactionStatus writer = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.jdbc().sql("SELECT id FROM outbox_stripe WHERE id <> 7 FOR UPDATE").query().listOfRows();
		assertThat(CompletableFuture.supplyAsync(() -> this.operator.requeue(MessageSelection.all()), OWN_THREAD)
			.get(20, TimeUnit.SECONDS)
			.affected()).isEqualTo(1);
		this.tables.commit(writer);
		assertThat(this.wakes).last().isEqualTo(Set.of(7));
		assertThat(this.tables.column(Long.class, "lane", "outbox_message")).containsExactly(7L);
	}

	@Test
	void inUnorderedModeARequeueWaitsForNoWriter() throws Exception {
		this.tables.commit("a");
		this.tables.stall("TRUE");
		this.unordered.skip(MessageSelection.all());
		TransactionStatus writer = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		assertThat(CompletableFuture.supplyAsync(() -> this.unordered.requeue(MessageSelection.all()), OWN_THREAD)
			.get(20, TimeUnit.SECONDS)
			.affected()).isEqualTo(1);
		this.tables.commit(writer);
	}

	@Test
	void inUnorderedModeEveryMessageThatHasFailedIsOneOfItsOwn() {
		this.tables.commit("a", "a", "a");
		this.tables.stallEach("id > 1");
		assertThat(this.unordered.skip(MessageSelection.key("a")).affected()).isEqualTo(2);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(1L);
		assertThat(lanes()).isEmpty();
	}

	@Test
	void whatIsRequeuedGoesToThePartitionOfItsKey() {
		this.tables.commit("a", "b", "");
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		this.operator.requeue(MessageSelection.all());
		assertThat(this.tables.column(Integer.class, "lane", "outbox_message")).startsWith(this.tables.partition("a"),
				this.tables.partition("b"));
		assertThat(this.wakes).last().isEqualTo(Set.of(this.tables.partition("a"), this.tables.partition("b")));
		assertThat(drained()).hasSize(3);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void whatIsNotTheFirstInItsLaneIsLeftAlone(OperatorVerb verb) {
		this.tables.commit("a", "a");
		this.tables.stall("TRUE");
		assertThat(this.operator.apply(verb, MessageSelection.all()).affected()).isOne();
		assertThat(this.operator.apply(verb, MessageSelection.message(messageIds().get(2L))).affected())
			.isEqualTo((verb == OperatorVerb.SKIP) ? 1 : 0);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).hasSize((verb == OperatorVerb.SKIP) ? 0 : 2);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aLaneThatIsBeingEmptiedIsLeftAlone(OperatorVerb verb) {
		this.tables.commit("a", "a");
		this.tables.stall("id = 1");
		this.operator.skip(MessageSelection.all());
		assertThat(lanes()).containsExactly(-1L);
		assertThat(this.operator.apply(verb, MessageSelection.all())).isEqualTo(new VerbResult(0, 0, List.of()));
		assertThat(list(MessageState.STALLED, MessageSelection.all())).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aLaneThatWasEmptiedByHandBreaksNothing(OperatorVerb verb) {
		this.tables.commit("a", "b", "c");
		this.tables.stall("id < 3");
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id = 1").update();
		assertThat(list(MessageState.STALLED, MessageSelection.all())).singleElement()
			.satisfies((item) -> assertThat(item.partitionKey()).isEqualTo("b"));
		assertThat(this.operator.apply(verb, MessageSelection.all()).affected()).isEqualTo(1);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).contains(3L);
	}

	// The head was deleted by hand, or what is behind it has failed before it was
	// answered itself: nothing else would free the key
	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aHeadThatHasNotFailedInALaneThatIsBlockedIsStuck(OperatorVerb verb) {
		this.tables.commit("a", "a");
		this.tables.block("id = 1");
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id = 1").update();
		assertThat(drained()).isEmpty();
		assertThat(list(MessageState.BLOCKED, MessageSelection.key("a"))).singleElement()
			.satisfies((item) -> assertThat(item.since()).isNotNull());
		assertThat(this.operator.apply(verb, MessageSelection.all()).affected()).isOne();
		assertThat(drained()).hasSize((verb == OperatorVerb.RETRY) ? 1 : 0);
		assertThat(this.tables.depth()).isZero();
	}

	// Another table of what is parked, as before order was switched on
	@Test
	void aKeyIsFoundInWhateverPartitionItIsParked() {
		this.tables.commit("a", "b");
		this.tables.jdbc().sql("UPDATE outbox_message SET lane = 63 - lane WHERE id = 1").update();
		this.tables.block("id = 1");
		assertThat(list(MessageState.BLOCKED, MessageSelection.key("a"))).hasSize(1);
		assertThat(this.operator.retry(MessageSelection.key("a")).affected()).isOne();
		assertThat(this.wakes).containsExactly(Set.of(63 - this.tables.partition("a")));
	}

	@ParameterizedTest
	@EnumSource(names = "RELEASE", mode = EnumSource.Mode.EXCLUDE)
	void aMessageWhoseRowIsDamagedIsSteeredLikeAnyOther(OperatorVerb verb) {
		this.tables.commit("a");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET message_id = 'none', headers = '{', routing_key = REPEAT('ä', 255)")
			.update();
		this.tables.block("TRUE");
		assertThat(list(MessageState.BLOCKED, MessageSelection.message("none"))).hasSize(1);
		if (verb == OperatorVerb.REQUEUE || verb == OperatorVerb.DISCARD) {
			this.operator.skip(MessageSelection.message("none"));
			assertThat(list(MessageState.DEAD, MessageSelection.message("none"))).hasSize(1);
		}
		assertThat(this.operator.apply(verb, MessageSelection.message("none")).messageIds()).containsExactly("none");
	}

	@Test
	void whatIsLargeIsMovedInSeveralTransactions() {
		this.tables.commit("a", "b", "c", "d", "e");
		this.tables.jdbc()
			.sql(Servers.database()
				.choose("UPDATE outbox_message SET payload = REPEAT('x', 1500000)",
						"UPDATE outbox_message SET payload = convert_to(REPEAT('x', 1500000), 'UTF8')",
						"UPDATE outbox_message SET payload = filler(1500000)"))
			.update();
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		assertThat(this.wakes).hasSize(3);
		this.operator.requeue(MessageSelection.all());
		assertThat(this.wakes).hasSize(6);
		assertThat(this.tables.depth()).isEqualTo(5);
	}

	@Test
	void theRelayIsToldInWhichPartitionsSomethingMayBeDueAndOnlyThen() {
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		Set<Integer> a = Set.of(this.tables.partition("a"));
		Set<Integer> b = Set.of(this.tables.partition("b"));
		assertThat(wakesOf(OperatorVerb.SKIP, MessageSelection.key("a"))).containsExactly(a);
		assertThat(wakesOf(OperatorVerb.RETRY, MessageSelection.key("b"))).containsExactly(b);
		assertThat(wakesOf(OperatorVerb.RETRY, MessageSelection.key("b"))).as("nothing to do").isEmpty();
		assertThat(wakesOf(OperatorVerb.REQUEUE, MessageSelection.key("a"))).containsExactly(a);
		this.tables.stall("partition_key = 'a'");
		assertThat(wakesOf(OperatorVerb.SKIP, MessageSelection.key("a"))).containsExactly(a);
		assertThat(wakesOf(OperatorVerb.DISCARD, MessageSelection.key("a"))).as("nothing is due").isEmpty();
	}

	private List<Set<Integer>> wakesOf(OperatorVerb verb, MessageSelection selection) {
		this.wakes.clear();
		this.operator.dryRun(verb, selection);
		assertThat(this.wakes).as("after a dry run").isEmpty();
		this.operator.apply(verb, selection);
		return this.wakes;
	}

	@Test
	void tenThousandStalledKeysAreRetriedByOneCall() {
		this.tables.fill(10_000, 10_000);
		this.tables.stall("TRUE");
		long start = System.nanoTime();
		VerbResult result = this.operator.retry(MessageSelection.all());
		System.out.printf("retry of 10,000 stalled keys: %d ms%n", (System.nanoTime() - start) / 1_000_000);
		assertThat(result.affected()).isEqualTo(10_000);
		assertThat(result.messageIds()).hasSize(VerbResult.MAX_IDS);
		assertThat(this.wakes).as("transactions").hasSize(20 * 8).allSatisfy((partitions) -> {
			assertThat(partitions).hasSizeLessThanOrEqualTo(8);
		});
		assertThat(list(MessageState.STALLED, MessageSelection.all())).isEmpty();
	}

	private List<MessageSummary> list(MessageState state, MessageSelection selection) {
		return this.operator.list(state, selection, null, 10).messages();
	}

	private List<Long> drained() {
		return this.worker.drain(10).stream().flatMap(List::stream).map(StoredMessage::id).toList();
	}

}
