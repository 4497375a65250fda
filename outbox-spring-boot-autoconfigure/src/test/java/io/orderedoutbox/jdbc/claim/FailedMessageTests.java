/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is stored of messages that were not sent, and of those that were.
 */
@Timeout(60)
class FailedMessageTests {

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aMessageThatIsRetriedSpendsAnAttempt() {
		this.tables.commit("a", "a", "b");
		complete(List.of(), FailedMessage.retried(1, "NO_ROUTE 'ü' \"x\" \\ [1]", Duration.ofSeconds(100)));
		assertThat(row(1)).containsEntry("attempts", 1L).containsEntry("last_error", "NO_ROUTE 'ü' \"x\" \\ [1]");
		assertThat(row(1).get("waits")).asString().matches("([6-9]\\d|100)");
		assertThat(row(2)).containsEntry("attempts", 0L).containsEntry("last_error", null);
	}

	@Test
	void aMessageThatIsPostponedSpendsNone() {
		this.tables.commit("a", "a", "b");
		complete(List.of(), FailedMessage.postponed(1, "its exchange is missing", Duration.ofHours(1)));
		assertThat(row(1)).containsEntry("attempts", 0L).containsEntry("last_error", "its exchange is missing");
		assertThat(this.worker.completeNext()).containsExactly(3L);
	}

	@Test
	void aMessageThatIsBlockedWaitsForEver() {
		this.tables.commit("a", "a", "b");
		complete(List.of(), FailedMessage.blocked(1, "returned"));
		assertThat(row(1)).containsEntry("attempts", 1L).containsEntry("due_year", "9999");
		assertThat(this.worker.completeNext()).containsExactly(3L);
	}

	@Test
	void aBlockedMessageDoesNotHoldOneBeforeItThatWasNotAnswered() {
		this.tables.commit("a", "a", "a");
		complete(List.of(3L), FailedMessage.blocked(2, "returned"));
		try (Claim claim = this.worker.next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L);
			claim.complete(List.of(1L), List.of(FailedMessage.blocked(2, "returned")));
		}
		assertThat(row(2)).containsEntry("attempts", 2L).containsEntry("due_year", "9999");
		assertThat(this.worker.next()).isNull();
	}

	@Test
	void aDeadLetterIsAsItWasAndMakesWay() {
		this.tables.commit("a", "a", "b");
		Map<String, Object> message = content("outbox_message", "id");
		complete(List.of(), FailedMessage.deadLetter(1, "returned"));
		assertThat(content("outbox_dead_letter", "position")).isEqualTo(message);
		assertThat(this.tables.jdbc()
			.sql("""
					SELECT attempts = 1 AND last_error = 'returned' AND failed_at <= dead_at
					AND dead_at BETWEEN UTC_TIMESTAMP(6) - INTERVAL '1' MINUTE AND UTC_TIMESTAMP(6) FROM outbox_dead_letter""")
			.query(Boolean.class)
			.single()).isTrue();
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L);
		assertThat(parked()).isZero();
	}

	// TRUNCATE lets positions begin anew, and so does a restored backup
	@Test
	void aDeadLetterWhosePositionAnotherOneHadIsKeptAsWell() {
		this.tables.commit("a");
		complete(List.of(), FailedMessage.deadLetter(1, "first"));
		this.tables.jdbc()
			.sql(Servers.database()
				.choose("TRUNCATE TABLE outbox_message", "TRUNCATE TABLE outbox_message RESTART IDENTITY"))
			.update();
		this.tables.commit("b");
		complete(List.of(), FailedMessage.deadLetter(1, "second"));
		assertThat(this.tables.jdbc()
			.sql("SELECT last_error FROM outbox_dead_letter WHERE position = 1 ORDER BY id")
			.query(String.class)
			.list()).containsExactly("first", "second");
	}

	@Test
	void aMessageThatFailedTwiceHasTheLastError() {
		this.tables.commit("a");
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		complete(List.of(), FailedMessage.retried(1, "twice", Duration.ZERO));
		assertThat(row(1)).containsEntry("attempts", 2L).containsEntry("last_error", "twice");
		assertThat(parked()).isEqualTo(1);
	}

	@Test
	void whatFailedAndWasPublishedLeavesNoTrace() {
		this.tables.commit("a", "b", "c", "");
		complete(List.of(3L), FailedMessage.retried(1, "once", Duration.ZERO),
				FailedMessage.postponed(2, "later", Duration.ZERO), FailedMessage.retried(4, "once", Duration.ZERO));
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 4L);
		assertNoTrace();
	}

	@Test
	void whatFailedAndWasGivenUpLeavesNoTraceInTheOutbox() {
		this.tables.commit("a", "");
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO),
				FailedMessage.retried(2, "once", Duration.ZERO));
		complete(List.of(), FailedMessage.deadLetter(1, "twice"), FailedMessage.deadLetter(2, "twice"));
		assertNoTrace();
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_dead_letter").query(Long.class).single())
			.isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 1_000 })
	void everythingPublishedIsArchivedAsItWas(int messages) {
		this.tables.fill(messages, 300);
		List<String> written = this.tables.column(String.class, "CONCAT(id, partition_key, HEX(payload), created_at)",
				"outbox_message");
		ClaimWorker archiving = ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 300));
		archiving.drain(100);
		assertThat(this.tables.depth()).isZero();
		assertThat(this.tables.jdbc()
			.sql("SELECT CONCAT(position, partition_key, HEX(payload), created_at) FROM outbox_archive ORDER BY position")
			.query(String.class)
			.list()).isEqualTo(written);
	}

	@Test
	void onlyWhatWasPublishedIsArchived() {
		this.tables.commit("a", "b", "c", "d");
		ClaimWorker archiving = ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100));
		try (Claim claim = archiving.next()) {
			claim.complete(List.of(1L), List.of(FailedMessage.deadLetter(2, "returned"),
					FailedMessage.retried(3, "returned", Duration.ofHours(1))));
		}
		assertThat(this.tables.column(Long.class, "position", "outbox_archive")).containsExactly(1L);
	}

	private void assertNoTrace() {
		assertThat(this.tables.depth()).isZero();
		assertThat(parked()).isZero();
		assertThat(this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM outbox_partition WHERE retry_at IS NOT NULL")
			.query(Long.class)
			.single()).isZero();
	}

	private long parked() {
		return this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single();
	}

	private void complete(List<Long> published, FailedMessage... failed) {
		try (Claim claim = this.worker.next()) {
			claim.complete(published, List.of(failed));
		}
	}

	private Map<String, Object> row(long id) {
		SqlFragments sql = this.tables.outbox().dialect().sql();
		return this.tables.jdbc()
			.sql("""
					SELECT CAST(m.attempts AS %1$s) AS attempts, m.last_error, CAST(EXTRACT(YEAR FROM k.available_at) AS CHAR(4)) AS due_year,
					CAST(FLOOR(%2$s / 1000000) AS %1$s) AS waits
					FROM outbox_message m JOIN outbox_parked k ON k.lane = m.lane
					WHERE m.id = ? AND COALESCE(m.failed_at, m.created_at) <= UTC_TIMESTAMP(6)"""
				.formatted(Servers.database().choose("SIGNED", "BIGINT"), sql.between(sql.now(), "k.available_at")))
			.param(id)
			.query()
			.singleRow();
	}

	private Map<String, Object> content(String table, String position) {
		return this.tables.jdbc().sql("""
				SELECT message_id, name, partition_key, exchange, routing_key, content_type, HEX(payload) AS payload,
				headers, created_at FROM %s WHERE %s = 1""".formatted(table, position)).query().singleRow();
	}

}
