/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.jdbc.MeasuredPlan;
import io.orderedoutbox.jdbc.MeasuredPlan.Read;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.retention.ArchivePurge;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing reads or sorts the archive from one end to the other, whether it is small or
 * large, and whether much of it is old or nothing.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class ArchivePlanTests {

	private static final int SMALL = 50;

	private static final int LARGE = 100_000;

	private static final long HOUR = 3_600_000_000L;

	private static final long TEN_YEARS = 10 * 365 * 24 * HOUR;

	private ArchiveStatements statements;

	private ArchivePurge purge;

	private OutboxTables small;

	private OutboxTables large;

	@BeforeAll
	void fill() {
		OutboxTables.skipOnPostgreSql("it explains its plans in another way");
		this.small = filled(SMALL);
		this.large = filled(LARGE);
		this.statements = new ArchiveStatements(this.small.outbox().dialect().sql(), "outbox_");
		this.purge = ArchivePurge.of(this.small.outbox());
	}

	// A tenth of it is a day old
	private static OutboxTables filled(int messages) {
		OutboxTables tables = new OutboxTables();
		tables.fill(messages, messages / 5);
		tables.jdbc()
			.sql("""
					INSERT INTO outbox_archive (position, message_id, name, partition_key, exchange, routing_key, content_type,
					payload, payload_size, created_at, attempts, published_at)
					SELECT id, message_id, name, partition_key, exchange, routing_key, content_type, payload, payload_size,
					created_at, attempts, IF(id <= %d, UTC_TIMESTAMP(6) - INTERVAL '1' DAY, UTC_TIMESTAMP(6))
					FROM outbox_message ORDER BY id"""
				.formatted(messages / 10))
			.update();
		tables.jdbc().sql("ANALYZE TABLE outbox_archive").query().listOfRows();
		return tables;
	}

	@AfterAll
	void close() {
		Stream.of(this.small, this.large).filter(Objects::nonNull).forEach(OutboxTables::close);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whatIsOldIsFoundByItsTime(int messages) {
		for (long age : List.of(HOUR, TEN_YEARS)) {
			MeasuredPlan plan = measure(messages, this.purge.lock(), 0, -age, 500);
			assertFound(plan, "outbox_archive_published", (age == HOUR) ? Math.min(500, messages / 10) : 0);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whatIsRemovedIsLookedUpByPrimaryKey(int messages) {
		int some = Math.min(500, messages / 2);
		MeasuredPlan plan = measure(messages, this.purge.delete(),
				LongStream.rangeClosed(1, some).boxed().toList().toString());
		assertFound(plan, "PRIMARY", some);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void listsAreFoundByTheIndexOfTheSelection(int messages) {
		String id = tables(messages).column(String.class, "message_id", "outbox_archive").get(0);
		tables(messages).jdbc().sql("UPDATE outbox_archive SET message_id = UUID() WHERE id > 1").update();
		Map<MessageSelection, String> indexes = Map.of(MessageSelection.message(id), "outbox_archive_message",
				MessageSelection.key("filler-7"), "outbox_archive_key", MessageSelection.name("order.placed"),
				"outbox_archive_name", MessageSelection.all(), "PRIMARY");
		indexes.forEach((selection, index) -> {
			String list = this.statements.list(selection, TimeRange.ALWAYS, Long.MAX_VALUE);
			assertThat(list).startsWith(SqlFragments.LOOK);
			Object[] arguments = SelectionFragments.arguments(tables(messages).outbox().dialect().sql(), selection, 3,
					messages + 1);
			assertFound(measure(messages, list, arguments), index, (selection.by() == By.MESSAGE_ID) ? 1 : 3);
		});
		assertFound(measure(messages, this.statements.content, 10, id), "outbox_archive_message", 1);
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void countingEnds(int messages) {
		assertThat(this.statements.count).startsWith(SqlFragments.LOOK);
		MeasuredPlan plan = measure(messages, this.statements.count, 30);
		assertThat(plan.reads().stream().mapToLong(Read::rows).sum()).as(plan.text()).isBetween(30L, 31L);
		assertThat(plan.sorts()).as(plan.text()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { SMALL, LARGE })
	void whetherItIsThereIsFoundOutWithoutReadingIt(int messages) {
		String probe = tables(messages).statements().probeArchive;
		MeasuredPlan plan = measure(messages, probe);
		assertThat(probe).contains("outbox_archive");
		assertThat(plan.reads()).as(plan.text()).noneMatch(Read::isFullScan);
		assertThat(plan.reads().stream().mapToLong(Read::rows).sum()).isZero();
	}

	private static void assertFound(MeasuredPlan plan, String index, int rows) {
		assertThat(plan.reads()).as(plan.text()).isNotEmpty().allSatisfy((read) -> {
			assertThat(read.isFullScan()).isFalse();
			assertThat(read.index()).isEqualTo(index);
		});
		assertThat(plan.sorts()).as(plan.text()).isEmpty();
		if (plan.isMeasured()) {
			assertThat(plan.reads().stream().mapToLong(Read::rows).sum()).as(plan.text())
				.isBetween((long) rows, rows + 1L);
		}
	}

	private OutboxTables tables(int messages) {
		return (messages == SMALL) ? this.small : this.large;
	}

	private MeasuredPlan measure(int messages, String statement, Object... arguments) {
		OutboxTables tables = tables(messages);
		return new TransactionTemplate(new JdbcTransactionManager(tables.writer())).execute((status) -> {
			status.setRollbackOnly();
			return tables.explain().measure(statement, arguments);
		});
	}

}
