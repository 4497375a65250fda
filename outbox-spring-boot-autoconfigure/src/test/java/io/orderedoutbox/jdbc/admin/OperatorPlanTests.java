/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.MeasuredPlan;
import io.orderedoutbox.jdbc.MeasuredPlan.Read;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.backlog.BacklogStatements;
import io.orderedoutbox.servers.RequiresMySql;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement of an operator reads the outbox from one end to the other, whether it is
 * small or large, whether little of it has failed or nearly all, and however much waits
 * behind a message that has failed.
 */
@RequiresMySql
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class OperatorPlanTests {

	private static final int SMALL = 50;

	private static final int LARGE = 20_000;

	private static final int SOME = 7;

	private static final String TIME = "2100-01-01 00:00:00.000000";

	private OutboxTables small;

	private OutboxTables large;

	@BeforeAll
	void fill() {
		this.small = filled(SMALL, "id > 5");
		this.large = filled(LARGE, "id % 100 = 0");
	}

	// One lane holds half of the messages
	private static OutboxTables filled(int messages, String failed) {
		OutboxTables tables = new OutboxTables();
		tables.fillWith(messages / 2, "long");
		tables.stall("id = 1");
		tables.fill(messages / 2, messages / 10);
		tables.stallEach(
				"lane >= 0 AND id < (SELECT w.id FROM (SELECT MIN(id) + 5 AS id FROM outbox_message WHERE lane >= 0) w)");
		tables.operator(false, (partitions) -> {
		}).skip(MessageSelection.name("order.placed"));
		tables.stall("id = 2 OR lane >= 0 AND " + failed);
		tables.jdbc()
			.sql("ANALYZE TABLE outbox_message, outbox_parked, outbox_partition, outbox_dead_letter")
			.query()
			.listOfRows();
		return tables;
	}

	@AfterAll
	void close() {
		this.small.close();
		this.large.close();
	}

	private OutboxTables tables(int messages) {
		return (messages == SMALL) ? this.small : this.large;
	}

	private static List<MessageSelection> selections() {
		return List.of(MessageSelection.message("x"), MessageSelection.key("filler-7"), MessageSelection.withoutKey(),
				MessageSelection.name("order.placed"), MessageSelection.group("queue 'nowhere': returned"),
				MessageSelection.all());
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void messagesAreFoundByTheParkedKeys(int messages) {
		AdministrationStatements statements = statements(messages);
		InspectionStatements inspection = inspection(messages);
		long parked = count(messages, "outbox_parked");
		for (MessageSelection selection : selections()) {
			MeasuredPlan next = measure(messages, statements.nextStuck(selection),
					SelectionFragments.arguments(this.small.outbox().dialect().sql(), selection, SOME, 0, TIME));
			MeasuredPlan list = measure(messages, inspection.listStuck(selection, TimeRange.ALWAYS, ""),
					SelectionFragments.arguments(this.small.outbox().dialect().sql(), selection, SOME, 0, -LARGE, 0));
			assertThat(List.of(next, list)).allSatisfy((plan) -> {
				boolean byKey = inspection.keys.isOfOneKey(selection);
				assertThat(indexes(plan)).as(plan.text())
					.isEqualTo(Map.of("k", byKey ? "outbox_parked_key" : "outbox_parked_delayed", "m", "PRIMARY", "e",
							"PRIMARY"));
				assertThat(plan.reads()).as(plan.text()).noneMatch(Read::isFullScan);
				assertThat(plan.sorts()).as(plan.text()).hasSize(byKey ? 1 : 0);
				long lanes = byKey ? 1
						: SelectionFragments.value(this.small.outbox().dialect().sql(), selection).isEmpty() ? SOME
								: parked;
				assertThat(rows(plan)).as(plan.text()).isLessThanOrEqualTo(5 * lanes);
			});
		}
		assertFound(measure(messages, inspection.rangeOfParkedKeys, 0, SOME), "outbox_parked", "outbox_parked_delayed",
				SOME);
		assertFound(measure(messages, inspection.countLane, -1, SOME), "outbox_message", "PRIMARY", SOME);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void deadLettersAreFoundByTheIndexOfTheSelection(int messages) {
		AdministrationStatements statements = statements(messages);
		Map<MessageSelection.By, String> indexes = Map.of(MessageSelection.By.MESSAGE_ID, "outbox_dead_letter_message",
				MessageSelection.By.PARTITION_KEY, "outbox_dead_letter_key", MessageSelection.By.NAME,
				"outbox_dead_letter_name", MessageSelection.By.GROUP, "PRIMARY", MessageSelection.By.NOTHING,
				"PRIMARY");
		for (MessageSelection selection : selections()) {
			MeasuredPlan next = measure(messages, statements.nextDeadLetters(selection),
					SelectionFragments.arguments(this.small.outbox().dialect().sql(), selection, SOME, 0, TIME));
			MeasuredPlan list = measure(messages, inspection(messages).listDeadLetters(selection, TimeRange.ALWAYS),
					SelectionFragments.arguments(this.small.outbox().dialect().sql(), selection, SOME, 0));
			assertThat(List.of(next, list))
				.allSatisfy((plan) -> assertFound(plan, "d", indexes.get(selection.by()), SOME));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whatIsLockedOrChangedIsLookedUpByPrimaryKey(int messages) {
		AdministrationStatements statements = statements(messages);
		String places = tables(messages)
			.column(String.class, "CONCAT('[', lane, ',', id, ']')", "outbox_message WHERE id <= 5")
			.toString();
		String lanes = tables(messages).column(Long.class, "lane", "outbox_message WHERE lane < 0")
			.stream()
			.distinct()
			.limit(SOME)
			.toList()
			.toString();
		String letters = LongStream.rangeClosed(1, 5).boxed().toList().toString();
		assertFound(measure(messages, statements.lockFreePartitions, "[3, 5]"), "p", "PRIMARY", 2);
		assertFound(measure(messages, tables(messages).statements().lockPartitions, "[3, 5]"), "p", "PRIMARY", 2);
		MeasuredPlan verify = measure(messages, statements.verifyStuck, places, TIME);
		assertThat(indexes(verify)).isEqualTo(Map.of("m", "PRIMARY", "k", "PRIMARY", "e", "PRIMARY"));
		assertThat(rows(verify)).as(verify.text()).isLessThanOrEqualTo(20);
		assertFound(measure(messages, statements.forgetFailure, places), "m", "PRIMARY", 5);
		assertFound(measure(messages, statements.makeDue, lanes), "k", "PRIMARY", SOME);
		assertFound(measure(messages, statements.emptyLanes, lanes), "e", "PRIMARY", SOME);
		assertFound(measure(messages, tables(messages).statements().closeLanes, lanes), "k", "PRIMARY", SOME);
		assertFound(measure(messages, statements.lockDeadLetters, letters), "d", "PRIMARY", 5);
		assertFound(measure(messages, statements.verifyDeadLetters, letters, TIME), "d", "PRIMARY", 5);
		assertFound(measure(messages, statements.discard, letters), "d", "PRIMARY", 5);
		assertFound(measure(messages, statements.requeue, "[[3, 1], [3, 2]]"), "d", "PRIMARY", 2);
	}

	@Test
	void payloadsAreNotSortedWhenTheyAreRequeued() {
		String tree = this.large.explain().tree(statements(LARGE).requeue, "[[3, 1], [3, 2]]");
		assertThat(tree)
			.containsSubsequence("Nested loop", "Materialize table function",
					"Single-row index lookup on d using PRIMARY")
			.doesNotContain("Temporary table");
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void aRangeOfTheOutboxIsReadByPosition(int messages) {
		InspectionStatements statements = inspection(messages);
		// Among few messages the database may as well begin with the first
		long after = (messages == SMALL) ? 0 : messages / 2;
		long last = after + SOME;
		assertFound(measure(messages, statements.range(List.of(), after, SOME)), "m", "outbox_message_id", SOME);
		assertFound(measure(messages, statements.range(List.of(5L, -1L), 3, SOME)), "m", "PRIMARY", 2 * SOME);
		assertFound(measure(messages, statements.locate, after, last, "x"), "m", "outbox_message_id", SOME);
		assertFound(measure(messages, statements.oldest), "m", "outbox_message_id", 1);
		for (MessageState state : List.of(MessageState.PENDING, MessageState.DUE, MessageState.DELAYED)) {
			for (List<Long> lanes : List.of(List.<Long>of(), List.of(5L, -1L))) {
				MeasuredPlan plan = measure(messages,
						statements.list(state, MessageSelection.all(), TimeRange.ALWAYS, "", lanes, after, last, SOME));
				assertThat(plan.reads()).as(plan.text()).isNotEmpty();
				assertThat(indexes(plan)).as(plan.text())
					.containsEntry("m", lanes.isEmpty() ? "outbox_message_id" : "PRIMARY");
				assertThat(rows(plan)).as(plan.text()).isLessThanOrEqualTo(3L * SOME);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whatIsReroutedIsLookedForByPositionAndChangedByPrimaryKey(int messages) {
		RerouteStatements statements = new RerouteStatements(tables(messages).outbox(),
				MessageSelection.name("order.placed"), new Reroute("test", "order.placed", "new", "new"));
		String ids = LongStream.rangeClosed(1, 5).boxed().toList().toString();
		String places = tables(messages)
			.column(String.class, "CONCAT('[', lane, ',', id, ']')", "outbox_message WHERE id <= 5")
			.toString();
		long after = (messages == SMALL) ? 0 : messages / 2;
		assertFound(measure(messages, statements.messages.lastPosition), "m", "outbox_message_id", 1);
		assertFound(measure(messages, statements.messages.range, after, messages, SOME), "m", "outbox_message_id",
				SOME);
		MeasuredPlan next = measure(messages, statements.messages.next,
				arguments(statements.matching(), List.of(after, after + SOME), List.of(SOME)));
		assertThat(indexes(next)).as(next.text()).isEqualTo(Map.of("m", "outbox_message_id", "k", "PRIMARY"));
		assertThat(rows(next)).as(next.text()).isLessThanOrEqualTo(2L * SOME);
		MeasuredPlan found = measure(messages, statements.messages.places,
				arguments(statements.matching(), List.of(ids), List.of()));
		assertThat(indexes(found)).as(found.text()).containsEntry("m", "outbox_message_id");
		assertThat(rows(found)).as(found.text()).isLessThanOrEqualTo(10);
		assertFound(measure(messages, statements.messages.change,
				arguments(statements.target(), List.of(places), List.of())), "m", "PRIMARY", 5);
		assertFound(
				measure(messages, statements.nextLetters,
						arguments(statements.matching(), List.of(0, TIME), List.of(SOME))),
				"d", "outbox_dead_letter_name", messages);
		assertFound(
				measure(messages, statements.verifyLetters, arguments(statements.matching(), List.of(ids), List.of())),
				"d", "PRIMARY", 5);
		assertFound(
				measure(messages, statements.rerouteLetters, arguments(statements.target(), List.of(ids), List.of())),
				"d", "PRIMARY", 5);
	}

	private static Object[] arguments(List<?> values, List<?> before, List<?> after) {
		return Stream.of(before, values, after).flatMap(List::stream).toArray();
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void oneMessageIsLookedUp(int messages) {
		InspectionStatements statements = inspection(messages);
		MeasuredPlan content = measure(messages, statements.content, 10, 3);
		assertThat(content.reads()).as(content.text()).noneMatch(Read::isFullScan);
		assertThat(rows(content)).as(content.text()).isLessThanOrEqualTo(5);
		MeasuredPlan head = measure(messages, statements.locateHead, SOME, "x");
		assertThat(indexes(head)).as(head.text()).containsEntry("m", "PRIMARY").containsEntry("e", "PRIMARY");
		assertThat(rows(head)).as(head.text()).isLessThanOrEqualTo(5L * SOME);
		for (TimeRange range : List.of(TimeRange.ALWAYS, TimeRange.since(Instant.EPOCH))) {
			MeasuredPlan stuck = measure(messages, statements.firstStuck(range), SOME);
			assertThat(indexes(stuck)).as(stuck.text()).containsEntry("m", "PRIMARY").containsEntry("e", "PRIMARY");
			assertThat(stuck.sorts()).as(stuck.text()).isEmpty();
			assertThat(rows(stuck)).as(stuck.text()).isLessThanOrEqualTo(6L * SOME);
			MeasuredPlan dead = measure(messages, statements.listDeadLetters(MessageSelection.all(), range), 0, SOME);
			assertFound(dead, "d", "PRIMARY", SOME);
		}
		MeasuredPlan behind = measure(messages, statements.countLaneOf, 1, SOME);
		assertThat(behind.reads()).as(behind.text()).noneMatch(Read::isFullScan);
		assertThat(rows(behind)).as(behind.text()).isLessThanOrEqualTo(SOME + 2);
		MeasuredPlan lanes = measure(messages, statements.parkedLanes("long"), "long");
		assertFound(lanes, "k", "outbox_parked_key", 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void countingEndsAndTheLagIsOneRowOfEachPartition(int messages) {
		BacklogStatements statements = new BacklogStatements(tables(messages).outbox());
		MeasuredPlan count = measure(messages, statements.count, SOME, SOME, SOME, SOME, SOME);
		Set<String> derived = Set.of("messages", "lanes", "heads", "dead", "waiting", "k", "w");
		assertThat(count.sorts()).as(count.text()).isEmpty();
		assertThat(count.reads()).as(count.text())
			.filteredOn((read) -> read.index().equals("null"))
			.extracting(Read::table)
			.isSubsetOf(derived);
		assertThat(rows(count)).as(count.text()).isLessThanOrEqualTo(8L * SOME);
		MeasuredPlan lag = measure(messages, statements.lag);
		assertThat(lag.sorts()).as(lag.text()).isEmpty();
		assertThat(lag.reads()).as(lag.text())
			.filteredOn(Read::isFullScan)
			.extracting(Read::table)
			.as("of as many rows as there are partitions")
			.isSubsetOf("outbox_partition", "p", "k");
		assertThat(rows(lag)).as(lag.text()).isLessThanOrEqualTo(3 * 64 + 4 * 100);
	}

	private static void assertFound(MeasuredPlan plan, String table, String index, int rows) {
		assertThat(indexes(plan)).as(plan.text()).isEqualTo(Map.of(table, index));
		assertThat(plan.sorts()).as(plan.text()).hasSizeLessThanOrEqualTo(1);
		assertThat(rows(plan)).as(plan.text()).isLessThanOrEqualTo(rows + 1L);
	}

	private static Map<String, String> indexes(MeasuredPlan plan) {
		return plan.reads().stream().collect(Collectors.toMap(Read::table, Read::index, (first, second) -> first));
	}

	private static long rows(MeasuredPlan plan) {
		return plan.reads().stream().mapToLong(Read::rows).sum();
	}

	private long count(int messages, String table) {
		return tables(messages).jdbc().sql("SELECT COUNT(*) FROM " + table).query(Long.class).single();
	}

	private AdministrationStatements statements(int messages) {
		return new AdministrationStatements(tables(messages).outbox(), true);
	}

	private InspectionStatements inspection(int messages) {
		return new InspectionStatements(tables(messages).outbox(), true);
	}

	private MeasuredPlan measure(int messages, String statement, Object... arguments) {
		OutboxTables tables = tables(messages);
		return new TransactionTemplate(new JdbcTransactionManager(tables.writer())).execute((status) -> {
			status.setRollbackOnly();
			return tables.explain().measure(statement, arguments);
		});
	}

}
