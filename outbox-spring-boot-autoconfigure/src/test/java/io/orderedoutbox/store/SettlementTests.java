package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.store.OutboxTables.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What becomes of messages that were not sent, and of their keys.
 */
@Timeout(60)
class SettlementTests {

	private final OutboxTables tables = new OutboxTables();

	private final Worker worker = this.tables
		.worker(new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(10)));

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aMessageThatIsRetriedSpendsAnAttemptAndHoldsItsKeyUntilItIsDue() {
		this.tables.commit("a", "a", "b");
		settle(List.of(), FailedMessage.retried(1, "returned", Duration.ofHours(1)));
		assertThat(row(1)).containsEntry("attempts", 1L).containsEntry("last_error", "returned");
		assertThat(claimed()).containsExactly(3L);
		assertThat(listed()).containsExactly(1L);
	}

	@Test
	void aMessageThatIsPostponedSpendsNone() {
		this.tables.commit("a", "a", "b");
		settle(List.of(), FailedMessage.postponed(1, "its exchange is missing", Duration.ofHours(1)));
		assertThat(row(1)).containsEntry("attempts", 0L).containsEntry("last_error", "its exchange is missing");
		assertThat(claimed()).containsExactly(3L);
		assertThat(listed()).containsExactly(1L);
	}

	@Test
	void aMessageThatIsBlockedHoldsItsKeyForEver() {
		this.tables.commit("a", "a", "b");
		settle(List.of(), FailedMessage.blocked(1, "returned"));
		assertThat(row(1)).containsEntry("attempts", 1L).containsEntry("year", "9999");
		assertThat(claimed()).containsExactly(3L);
		assertThat(listed()).containsExactly(1L);
	}

	@Test
	void aDeadLetterIsAsItWasAndMakesWay() {
		this.tables.commit("a", "a", "b");
		Map<String, Object> message = content("outbox_message", "id");
		settle(List.of(), FailedMessage.deadLetter(1, "returned"));
		assertThat(content("outbox_dead_letter", "position")).isEqualTo(message);
		assertThat(this.tables.jdbc()
			.sql("""
					SELECT attempts = 1 AND last_error = 'returned' AND failed_at <= dead_at
					AND dead_at BETWEEN UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE AND UTC_TIMESTAMP(6) FROM outbox_dead_letter""")
			.query(Boolean.class)
			.single()).isTrue();
		assertThat(claimed()).containsExactly(2L, 3L);
		assertThat(listed()).isEmpty();
	}

	// TRUNCATE lets positions begin anew, and so does a restored backup
	@Test
	void aDeadLetterWhosePositionAnotherOneHadIsKeptAsWell() {
		this.tables.commit("a");
		settle(List.of(), FailedMessage.deadLetter(1, "first"));
		this.tables.jdbc().sql("TRUNCATE TABLE outbox_message").update();
		this.tables.commit("b");
		settle(List.of(), FailedMessage.deadLetter(1, "second"));
		assertThat(this.tables.jdbc()
			.sql("SELECT last_error FROM outbox_dead_letter WHERE position = 1 ORDER BY id")
			.query(String.class)
			.list()).containsExactly("first", "second");
	}

	@Test
	void whatFailedTwiceIsListedOnce() {
		this.tables.commit("a");
		settle(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		settle(List.of(), FailedMessage.retried(1, "twice", Duration.ZERO));
		assertThat(row(1)).containsEntry("attempts", 2L).containsEntry("last_error", "twice");
		assertThat(listed()).containsExactly(1L);
	}

	@Test
	void whatFailedAndWasPublishedLeavesNoTrace() {
		this.tables.commit("a", "b", "c");
		settle(List.of(3L), FailedMessage.retried(1, "once", Duration.ZERO),
				FailedMessage.postponed(2, "later", Duration.ZERO));
		settle(List.of(1L, 2L));
		assertThat(this.tables.depth()).isZero();
		assertThat(listed()).isEmpty();
	}

	@Test
	void whatFailedAndWasGivenUpLeavesNoTraceInTheOutbox() {
		this.tables.commit("a");
		settle(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		settle(List.of(), FailedMessage.deadLetter(1, "twice"));
		assertThat(this.tables.depth()).isZero();
		assertThat(listed()).isEmpty();
	}

	private void settle(List<Long> published, FailedMessage... failed) {
		try (Claim claim = this.worker.next()) {
			claim.complete(published, List.of(failed));
		}
	}

	private List<Long> claimed() {
		try (Claim claim = this.worker.next()) {
			return Worker.ids(claim);
		}
	}

	private Map<String, Object> row(long id) {
		return this.tables.jdbc().sql("""
				SELECT CAST(attempts AS SIGNED) AS attempts, last_error, CAST(YEAR(available_at) AS CHAR) AS year
				FROM outbox_message WHERE id = ? AND failed_at <= UTC_TIMESTAMP(6)""").param(id).query().singleRow();
	}

	private Map<String, Object> content(String table, String position) {
		return this.tables.jdbc()
			.sql("""
					SELECT id, message_id, name, partition_key, exchange, routing_key, content_type, HEX(payload) AS payload,
					headers, created_at FROM %s WHERE id = 1"""
				.formatted(table))
			.query()
			.singleRow();
	}

	private List<Long> listed() {
		return this.tables.jdbc().sql("SELECT id FROM outbox_failed ORDER BY id").query(Long.class).list();
	}

}
