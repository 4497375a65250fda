/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.admin.FailureGroup;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every list can be narrowed to a range of time.
 */
class TimeRangeTests {

	private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

	private static final TimeRange MINUTES = TimeRange.between(NOON.plusSeconds(60), NOON.plusSeconds(180));

	private final OutboxTables tables = new OutboxTables();

	private final JdbcOutboxAdministration operator = new JdbcOutboxAdministration(
			new OutboxDatabase(this.tables.writer(), "outbox_", true, new Partitions()), true, (partitions) -> {
			});

	@AfterEach
	void close() {
		this.tables.close();
	}

	// The first at noon, and then one in each minute
	private void commit() {
		this.tables.commit("a", "b", "c", "d");
		this.tables.jdbc().sql("UPDATE outbox_message SET created_at = " + afterNoon("(id - 1) * 60")).update();
	}

	private String afterNoon(String seconds) {
		SqlFragments sql = this.tables.outbox().dialect().sql();
		return sql.after("(%s) * 1000000".formatted(seconds), sql.timeOf(NOON));
	}

	@Test
	void whatWaitsIsListedByWhenItWasStored() {
		commit();
		assertThat(keys(MessageState.PENDING, MINUTES)).containsExactly("b", "c");
		assertThat(keys(MessageState.DUE, MINUTES)).containsExactly("b", "c");
		assertThat(keys(MessageState.DUE, TimeRange.since(NOON.plusSeconds(61)))).containsExactly("c", "d");
		assertThat(keys(MessageState.DUE, new TimeRange(null, NOON))).isEmpty();
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = '2050-01-01'").update();
		assertThat(keys(MessageState.DELAYED, MINUTES)).containsExactly("b", "c");
	}

	@Test
	void whatIsStuckIsListedByWhenItWasStored() {
		commit();
		this.tables.stall("id IN (1, 2)");
		this.tables.block("id IN (3, 4)");
		assertThat(keys(MessageState.STALLED, MINUTES)).containsExactly("b");
		assertThat(keys(MessageState.BLOCKED, MINUTES)).containsExactly("c");
	}

	@Test
	void whatIsDeadIsListedByWhenItDied() {
		commit();
		this.tables.block("TRUE");
		this.operator.skip(MessageSelection.all());
		this.tables.jdbc().sql("UPDATE outbox_dead_letter SET dead_at = " + afterNoon("(id - 1) * 60")).update();
		assertThat(keys(MessageState.DEAD, MINUTES)).containsExactly("b", "c");
		assertThat(keys(MessageState.DEAD, TimeRange.ALWAYS)).hasSize(4);
	}

	@Test
	void groupsAreOfWhatWasStoredThenAndOfWhatDiedThen() {
		commit();
		this.tables.block("TRUE");
		assertThat(groups(TimeRange.ALWAYS)).containsExactly(4L, 0L);
		assertThat(groups(MINUTES)).containsExactly(2L, 0L);
		FailureGroup group = this.operator.groups(MINUTES).groups().get(0);
		assertThat(group.oldest()).isEqualTo(NOON.plusSeconds(60));
		assertThat(group.example().partitionKey()).isEqualTo("b");
		this.operator.skip(MessageSelection.all());
		this.tables.jdbc().sql("UPDATE outbox_dead_letter SET dead_at = " + afterNoon("(id - 1) * 60 + 3600")).update();
		assertThat(groups(MINUTES)).as("stored then, but they died later").isEmpty();
		assertThat(groups(new TimeRange(NOON.plusSeconds(3660), null))).containsExactly(0L, 3L);
		assertThat(groups(TimeRange.between(NOON.plusSeconds(3660), NOON.plusSeconds(3780)))).containsExactly(0L, 2L);
	}

	private List<Long> groups(TimeRange range) {
		return this.operator.groups(range)
			.groups()
			.stream()
			.flatMap((group) -> Stream.of(group.keys(), group.deadLetters()))
			.toList();
	}

	@Test
	void whatIsArchivedIsListedByWhenItWasPublishedPageByPage() {
		this.tables.commit(IntStream.range(0, 20).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(10);
		// Several in one moment, and not in the order of their ids
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET partition_key = CONCAT('key-', id), published_at = "
					+ afterNoon("MOD(id * 7, 10)"))
			.update();
		for (MessageSelection selection : List.of(MessageSelection.all(), MessageSelection.name("order.placed"))) {
			for (int size : new int[] { 1, 3, 50 }) {
				TimeRange range = TimeRange.between(NOON.plusSeconds(2), NOON.plusSeconds(8));
				List<String> expected = this.tables.jdbc()
					.sql("SELECT partition_key FROM outbox_archive WHERE MOD(id * 7, 10) BETWEEN 2 AND 7 ORDER BY published_at DESC, id DESC")
					.query(String.class)
					.list();
				assertThat(keys(MessageState.ARCHIVED, selection, range, size)).isEqualTo(expected)
					.hasSizeGreaterThan(8);
			}
		}
		assertThat(keys(MessageState.ARCHIVED, MessageSelection.key("key-1"), MINUTES, 5)).isEmpty();
		assertThat(keys(MessageState.ARCHIVED, MessageSelection.key("key-1"), TimeRange.since(NOON), 5))
			.containsExactly("key-1");
		assertThat(keys(MessageState.ARCHIVED, TimeRange.since(Instant.MIN))).hasSize(20);
		assertThat(keys(MessageState.ARCHIVED, TimeRange.since(Instant.MAX))).isEmpty();
	}

	private List<String> keys(MessageState state, TimeRange range) {
		return keys(state, MessageSelection.all(), range, 50);
	}

	private List<String> keys(MessageState state, MessageSelection selection, TimeRange range, int size) {
		List<String> keys = new ArrayList<>();
		String after = null;
		do {
			OutboxPage page = this.operator.list(state, selection, range, after, size);
			page.messages().forEach((message) -> keys.add(message.partitionKey()));
			after = page.next();
		}
		while (after != null);
		return keys;
	}

}
