/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.orderedoutbox.jdbc.Explain;
import io.orderedoutbox.jdbc.MeasuredPlan;
import io.orderedoutbox.jdbc.MeasuredPlan.Read;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxStatements;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.claim.ClaimStatements.Range;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement of a claim reads more than it asks for, whether the outbox is empty, small
 * or large, and whether the database has counted its rows or not: what a statement that
 * changes something reads, it locks. {@code -Dtest.jvm.args="-Dplans.rows=5000000"} gives
 * one more size.
 */
@Tag("slow")
@Timeout(600)
class ClaimPlanTests {

	private static final int FILLED_AT_ONCE = 250_000;

	private static final int LIMIT = 100;

	private static final List<Integer> LANES = List.of(3, 9, 17, 40);

	@BeforeAll
	static void skip() {
		OutboxTables.skipOnPostgreSql("it explains its plans in another way: DeadRowsTests count what a claim reads");
	}

	static List<Integer> sizes() {
		List<Integer> sizes = new ArrayList<>(List.of(0, 50, 100_000));
		Integer larger = Integer.getInteger("plans.rows");
		if (larger != null) {
			sizes.add(larger);
		}
		return sizes;
	}

	@ParameterizedTest
	@MethodSource("sizes")
	void everyRowIsFoundByItsKey(int rows) {
		try (OutboxTables tables = filled(rows)) {
			Explain explain = tables.explain();
			given(tables).forEach((statement, list) -> {
				Map<String, String> accesses = explain.accesses(statement, list);
				assertThat(accesses).as(statement).isNotEmpty();
				assertThat(accesses.values()).as("%s: %s", statement, accesses)
					.allMatch((access) -> access.matches("(eq_)?ref (PRIMARY|outbox_parked_(key|due))"));
			});
		}
	}

	@ParameterizedTest
	@MethodSource("sizes")
	void noMoreIsReadThanWasAskedFor(int rows) {
		try (OutboxTables tables = filled(rows)) {
			ClaimStatements statements = statements(tables);
			List<Range> ranges = LANES.stream().map((lane) -> new Range(lane, 0, Long.MAX_VALUE, LIMIT)).toList();
			Map<Integer, Long> all = IntStream.range(0, Partitions.DEFAULT_COUNT)
				.boxed()
				.collect(Collectors.toMap((lane) -> lane, (lane) -> (long) rows / 2));
			Map<String, Integer> most = new LinkedHashMap<>();
			most.put(statements.read(ranges), LANES.size() * LIMIT);
			most.put(statements.last(LANES), LANES.size());
			most.put(statements.dueLanes(LANES, LIMIT), LANES.size() * LIMIT);
			// All partitions, and of each one row
			most.put(statements.poll(all), 2 * Partitions.DEFAULT_COUNT);
			most.forEach((statement, limit) -> {
				MeasuredPlan plan = tables.explain().measure(statement);
				assertThat(plan.isMeasured()).isTrue();
				assertThat(plan.reads().stream().mapToLong(Read::rows).sum()).as(plan.text())
					.isLessThanOrEqualTo(limit);
				assertThat(plan.sorts()).as(plan.text()).isEmpty();
				assertThat(plan.reads().stream().filter((read) -> !read.index().equals("null"))).as(plan.text())
					.extracting(Read::index)
					.allMatch((index) -> index.matches("PRIMARY|outbox_parked_due"));
			});
		}
	}

	private static OutboxTables filled(int rows) {
		OutboxTables tables = new OutboxTables();
		for (int filled = 0; filled < rows; filled += FILLED_AT_ONCE) {
			tables.fill(Math.min(FILLED_AT_ONCE, rows - filled), 1_000);
		}
		tables.stall("lane >= 0 AND id % 100 = 7 AND id < 100000");
		tables.makeDue();
		if (rows > 0) {
			tables.jdbc().sql("ANALYZE TABLE outbox_message, outbox_parked, outbox_partition").query().listOfRows();
		}
		return tables;
	}

	private static ClaimStatements statements(OutboxTables tables) {
		return new ClaimStatements(tables.outbox(), ClaimWorker.settings(true, 2_000));
	}

	// Statements, and the lists that they take
	private static Map<String, String> given(OutboxTables tables) {
		ClaimStatements statements = statements(tables);
		OutboxDatabase database = tables.outbox();
		OutboxStatements shared = database.statements();
		Map<String, String> given = new LinkedHashMap<>();
		given.put(statements.lock, LANES.toString());
		given.put(shared.lockPartitions, LANES.toString());
		given.put(shared.refreshRetry, LANES.toString());
		given.put(shared.closeLanes, "[-7, -107]");
		given.put(statements.parkedKeys, list("[%d, 7]"));
		given.put(statements.postpone, list("[-%1$d, %1$d, -1]"));
		for (String statement : List.of(statements.payloads, statements.destinations, shared.delete, shared.bury,
				shared.archive)) {
			given.put(statement, list("[3, %d]"));
		}
		given.put(statements.fail, list("[3, %d, 1, \"eA==\", 0]"));
		given.put(statements.open, list("[3, %d, 1000]"));
		given.put(statements.move, list("[3, %d, -5]"));
		return given;
	}

	private static String list(String entry) {
		return LongStream.rangeClosed(1, 50).mapToObj(entry::formatted).toList().toString();
	}

}
