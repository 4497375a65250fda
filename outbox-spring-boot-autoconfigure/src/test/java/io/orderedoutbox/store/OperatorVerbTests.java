package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.MessageSelection;
import io.orderedoutbox.OperatorVerb;
import io.orderedoutbox.OutboxAdministration;
import io.orderedoutbox.VerbResult;
import io.orderedoutbox.store.OutboxTables.Worker;
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
import org.springframework.util.unit.DataSize;

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
			UNION ALL SELECT 'failed', id, '', 0, '', NULL, NULL FROM outbox_failed ORDER BY 1, 2""";

	private final OutboxTables tables = new OutboxTables();

	private final AtomicInteger wakes = new AtomicInteger();

	private final OutboxAdministration operator = this.tables.operator(true, this.wakes::incrementAndGet);

	private final Worker worker = this.tables
		.worker(new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(10)));

	@AfterEach
	void close() {
		this.tables.close();
	}

	static Stream<Arguments> everyVerbAndSelection() {
		return Stream.of(OperatorVerb.values())
			.flatMap((verb) -> Stream.of(Arguments.of(verb, "message", List.of("b")),
					Arguments.of(verb, "key", List.of("a")), Arguments.of(verb, "no key", List.of("", "")),
					Arguments.of(verb, "name", List.of("b")), Arguments.of(verb, "all", List.of("a", "b", "", ""))));
	}

	@ParameterizedTest
	@MethodSource("everyVerbAndSelection")
	void aVerbAffectsWhatIsSelectedAndADryRunTellsIt(OperatorVerb verb, String selected, List<String> keys) {
		this.tables.commit("a", "a", "b", "b", "", "", "", "c", "c");
		this.tables.jdbc().sql("UPDATE outbox_message SET name = 'order.lost' WHERE partition_key = 'b'").update();
		this.tables.stall("id IN (1, 5)");
		this.tables.block("id IN (3, 6)");
		Map<Long, String> messageIds = messageIds();
		MessageSelection selection = switch (selected) {
			case "message" -> MessageSelection.message(messageIds.get(3L));
			case "key" -> MessageSelection.key("a");
			case "no key" -> MessageSelection.withoutKey();
			case "name" -> MessageSelection.name("order.lost");
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
				SELECT attempts = 0 AND last_error IS NULL AND failed_at IS NULL AND available_at <= UTC_TIMESTAMP(6)
				FROM outbox_message WHERE id = 1""").query(Boolean.class).single()).isTrue();
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
		assertThat(drained()).containsExactly(1L, 2L);
	}

	@Test
	void aRetriedMessageThatFailsAgainIsListedAgain() {
		this.tables.commit("a");
		this.tables.stall("id = 1");
		this.operator.retry(MessageSelection.all());
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "again", Duration.ofHours(1))));
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).containsExactly(1L);
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(1);
	}

	@Test
	void aSkippedHeadLeavesItsKeyToTheNextInOrder() {
		this.tables.commit("a", "a", "a");
		this.tables.block("id = 1");
		this.operator.skip(MessageSelection.key("a"));
		assertThat(drained()).containsExactly(2L, 3L);
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(1L);
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	@Test
	void aSkipTakesOneMessageOfAKeyAlsoWhenTheNextFailsMeanwhile() {
		this.tables.commit("a");
		this.tables.fillWith(600, "");
		this.tables.commit("a");
		this.tables.stall("partition_key = '' OR id = 1");
		OutboxAdministration interrupted = this.tables.operator(true, () -> {
			if (this.wakes.getAndIncrement() == 0) {
				this.tables.stall("partition_key = 'a'");
			}
		});
		assertThat(interrupted.skip(MessageSelection.all()).affected()).isEqualTo(601);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly("a");
		assertThat(this.wakes).hasValue(2);
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
		this.tables.jdbc().sql("UPDATE outbox_message SET message_id = LPAD(id, 36, '0')").update();
		List<String> inOrder = this.tables.column(String.class, "message_id", "outbox_message");
		this.tables.stall("TRUE");
		this.tables.operator(false, () -> {
		}).skip(MessageSelection.all());
		assertThat(this.tables.depth()).isZero();
		VerbResult result = this.operator.requeue(MessageSelection.all());
		assertThat(result.affected()).isEqualTo(1500);
		assertThat(result.messageIds()).isEqualTo(inOrder.subList(0, VerbResult.MAX_IDS));
		assertThat(this.tables.column(String.class, "message_id", "outbox_message")).isEqualTo(inOrder);
	}

	@Test
	void theStatementThatRequeuesSortsByItself() {
		this.tables.fill(50, 1);
		this.tables.jdbc().sql("UPDATE outbox_message SET routing_key = LPAD(id, 10, '0')").update();
		this.tables.stall("TRUE");
		this.tables.operator(false, () -> {
		}).skip(MessageSelection.all());
		List<Long> ids = new ArrayList<>(this.tables.column(Long.class, "position", "outbox_dead_letter"));
		Collections.shuffle(ids, new Random(1));
		this.tables.jdbc()
			.sql(new AdministrationStatements(this.tables.statements().dialect(), "outbox_", true).requeue)
			.param(ids.toString())
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
	void inUnorderedModeARequeueWaitsForNobody() throws Exception {
		this.tables.commit("a");
		this.tables.stall("TRUE");
		OutboxAdministration unordered = this.tables.operator(false, () -> {
		});
		unordered.skip(MessageSelection.all());
		TransactionStatus writer = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		assertThat(CompletableFuture.supplyAsync(() -> unordered.requeue(MessageSelection.all()), OWN_THREAD)
			.get(20, TimeUnit.SECONDS)
			.affected()).isEqualTo(1);
		this.tables.commit(writer);
	}

	@Test
	void inUnorderedModeEveryMessageThatHasFailedIsOneOfItsOwn() {
		this.tables.commit("a", "a", "a");
		this.tables.stall("id > 1");
		OutboxAdministration unordered = this.tables.operator(false, () -> {
		});
		assertThat(unordered.skip(MessageSelection.key("a")).affected()).isEqualTo(2);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(1L);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void whatIsNotTheHeadOfItsKeyIsLeftAlone(OperatorVerb verb) {
		this.tables.commit("a", "a");
		this.tables.stall("id = 2");
		assertThat(this.operator.apply(verb, MessageSelection.all())).isEqualTo(new VerbResult(0, 0, List.of()));
		assertThat(this.operator.stalled(MessageSelection.all(), null, 10).items()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "SKIP" })
	void aListThatLeadsNowhereOrToMessagesThatHaveNotFailedBreaksNothing(OperatorVerb verb) {
		this.tables.commit("a", "b", "c");
		this.tables.stall("id < 3");
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id = 1").update();
		this.tables.jdbc().sql("INSERT INTO outbox_failed VALUES (3), (7)").update();
		assertThat(this.operator.stalled(MessageSelection.all(), null, 10).items()).singleElement()
			.satisfies((item) -> assertThat(item.message().partitionKey()).isEqualTo("b"));
		assertThat(this.operator.apply(verb, MessageSelection.all()).affected()).isEqualTo(1);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).contains(3L);
	}

	@ParameterizedTest
	@EnumSource
	void aMessageWhoseRowIsDamagedIsSteeredLikeAnyOther(OperatorVerb verb) {
		this.tables.commit("a");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET message_id = 'none', headers = '{', routing_key = REPEAT('ä', 255)")
			.update();
		this.tables.block("TRUE");
		assertThat(this.operator.blocked(MessageSelection.message("none"), null, 10).items()).hasSize(1);
		if (verb == OperatorVerb.REQUEUE || verb == OperatorVerb.DISCARD) {
			this.operator.skip(MessageSelection.message("none"));
			assertThat(this.operator.deadLetters(MessageSelection.message("none"), null, 10).items()).hasSize(1);
		}
		assertThat(this.operator.apply(verb, MessageSelection.message("none")).messageIds()).containsExactly("none");
	}

	@Test
	void whatIsLargeIsMovedInSeveralTransactions() {
		this.tables.commit("a", "b", "c", "d", "e");
		this.tables.jdbc().sql("UPDATE outbox_message SET payload = REPEAT('x', 1500000)").update();
		this.tables.stall("TRUE");
		this.operator.skip(MessageSelection.all());
		assertThat(this.wakes.getAndSet(0)).isEqualTo(3);
		this.operator.requeue(MessageSelection.all());
		assertThat(this.wakes).hasValue(3);
		assertThat(this.tables.depth()).isEqualTo(5);
	}

	@Test
	void theRelayIsWokenWhenSomethingMayBeDueAndOnlyThen() {
		this.tables.commit("a", "b");
		this.tables.stall("TRUE");
		assertThat(wakesOf(OperatorVerb.SKIP, MessageSelection.key("a"))).isEqualTo(1);
		assertThat(wakesOf(OperatorVerb.RETRY, MessageSelection.key("b"))).isEqualTo(1);
		assertThat(wakesOf(OperatorVerb.RETRY, MessageSelection.key("b"))).as("nothing to do").isZero();
		assertThat(wakesOf(OperatorVerb.REQUEUE, MessageSelection.key("a"))).isEqualTo(1);
		this.tables.stall("partition_key = 'a'");
		assertThat(wakesOf(OperatorVerb.SKIP, MessageSelection.key("a"))).isEqualTo(1);
		assertThat(wakesOf(OperatorVerb.DISCARD, MessageSelection.key("a"))).as("nothing is due").isZero();
	}

	private int wakesOf(OperatorVerb verb, MessageSelection selection) {
		this.operator.dryRun(verb, selection);
		assertThat(this.wakes).as("after a dry run").hasValue(0);
		this.operator.apply(verb, selection);
		return this.wakes.getAndSet(0);
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
		assertThat(this.wakes).as("transactions").hasValue(20);
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	private List<Long> drained() {
		return this.worker.drain(10).stream().flatMap(List::stream).map(StoredMessage::id).toList();
	}

}
