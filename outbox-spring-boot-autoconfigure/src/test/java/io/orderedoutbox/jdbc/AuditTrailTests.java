/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What operators have done is kept, with who did it.
 */
@ExtendWith(OutputCaptureExtension.class)
class AuditTrailTests {

	private final OutboxTables tables = new OutboxTables();

	private final AuditTrail trail = new JdbcAuditTrail(this.tables.outbox());

	private final OutboxAdministration operator = operator(this.trail);

	@AfterEach
	void close() {
		this.tables.close();
	}

	private OutboxAdministration operator(AuditTrail kept) {
		return new JdbcOutboxAdministration(this.tables.outbox(), true, (partitions) -> {
		}, new OperatorJournal(() -> "älice", kept));
	}

	@Test
	void whatWasDoneIsRecordedOnceWithWhoDidIt(CapturedOutput output) {
		this.tables.commit("a", "b");
		this.tables.block("TRUE");
		Instant before = now();
		this.operator.skip(MessageSelection.key("a"));
		this.operator.retry(MessageSelection.all());
		List<AuditEntry> entries = entries();
		assertThat(entries).extracting(AuditEntry::action)
			.containsExactly(new OperatorAction("älice", "RETRY", "all", 1, 0, null),
					new OperatorAction("älice", "SKIP", "key 'a'", 1, 0, null));
		assertThat(entries).allSatisfy((entry) -> assertThat(entry.at()).isBetween(before, now()));
		assertThat(output).contains("Outbox SKIP of key 'a' by älice: 1 message(s), 0 passed over");
	}

	@Test
	void aDryRunIsNotRecorded() {
		this.tables.commit("a");
		this.tables.block("TRUE");
		this.operator.dryRun(OperatorVerb.SKIP, MessageSelection.all());
		assertThat(entries()).isEmpty();
	}

	@Test
	void aVerbThatFailsIsRecordedWithItsError() {
		this.tables.commit("a");
		this.tables.block("TRUE");
		this.tables.jdbc().sql("ALTER TABLE outbox_dead_letter RENAME TO hidden").update();
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> this.operator.skip(MessageSelection.all()));
		OperatorAction action = entries().get(0).action();
		assertThat(action.affected()).isZero();
		assertThat(action.error()).contains("outbox_dead_letter");
	}

	@Test
	void aVerbIsDoneAlsoIfItCannotBeRecorded(CapturedOutput output) {
		this.tables.commit("a", "b");
		this.tables.block("TRUE");
		this.tables.jdbc().sql("DROP TABLE outbox_audit").update();
		assertThat(this.operator.retry(MessageSelection.key("a")).affected()).isOne();
		assertThat(output).doesNotContain("could not be recorded");
		assertThat(entries()).isEmpty();
		AuditTrail broken = new AuditTrail() {

			@Override
			public void record(OperatorAction action) {
				throw new IllegalStateException("no room");
			}

			@Override
			public List<AuditEntry> list(TimeRange range, long before, int size) {
				return List.of();
			}

		};
		assertThat(operator(broken).retry(MessageSelection.key("b")).affected()).isOne();
		assertThat(output).contains("Outbox RETRY of key 'b' by älice could not be recorded in the audit trail")
			.contains("no room");
	}

	@Test
	void theTrailIsListedPageByPageAndByTime() {
		for (int i = 0; i < 5; i++) {
			this.operator.retry(MessageSelection.key("key-" + i));
		}
		assertThat(this.trail.list(TimeRange.ALWAYS, Long.MAX_VALUE, 2))
			.extracting((entry) -> entry.action().selection())
			.containsExactly("key 'key-4'", "key 'key-3'");
		assertThat(this.trail.list(TimeRange.ALWAYS, 4, 2)).extracting((entry) -> entry.action().selection())
			.containsExactly("key 'key-2'", "key 'key-1'");
		this.tables.jdbc().sql("UPDATE outbox_audit SET done_at = '2026-01-02 12:00:00' WHERE id = 3").update();
		Instant noon = Instant.parse("2026-01-02T12:00:00Z");
		assertThat(this.trail.list(TimeRange.between(noon, noon.plusMillis(1)), Long.MAX_VALUE, 9))
			.extracting(AuditEntry::id)
			.containsExactly(3L);
	}

	@Test
	void whatIsTooLongIsCut() {
		this.operator.retry(MessageSelection.group("x".repeat(3_000)));
		assertThat(entries().get(0).action().selection()).hasSize(1_000);
	}

	private List<AuditEntry> entries() {
		return this.trail.list(TimeRange.ALWAYS, Long.MAX_VALUE, 100);
	}

	private Instant now() {
		SqlFragments sql = this.tables.outbox().dialect().sql();
		return Instant.EPOCH.plus(this.tables.jdbc().sql("SELECT " + sql.micros(sql.now())).query(Long.class).single(),
				ChronoUnit.MICROS);
	}

}
