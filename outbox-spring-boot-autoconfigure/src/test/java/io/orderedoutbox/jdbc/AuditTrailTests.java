/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.admin.ArchiveReplay;
import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OperatorVerb;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
		OutboxDatabase archiving = new OutboxDatabase(this.tables.writer(), "outbox_", true, new Partitions());
		return new JdbcOutboxAdministration(archiving, true, (partitions) -> {
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

	@ParameterizedTest
	@MethodSource("verbs")
	void eachVerbIsRecorded(Verb verb) {
		storeMessagesForAllVerbs();
		VerbResult result = verb.call().apply(this.operator);
		assertThat(result.affected()).isPositive();
		assertThat(entries()).extracting(AuditEntry::action)
			.containsExactly(new OperatorAction("älice", verb.name(), verb.selection(), result.affected(), 0, null));
	}

	@ParameterizedTest
	@MethodSource("verbs")
	void aVerbThatFailsIsRecordedWithItsError(Verb verb) {
		storeMessagesForAllVerbs();
		for (String table : List.of("message", "dead_letter", "archive")) {
			this.tables.jdbc().sql("ALTER TABLE outbox_%s RENAME TO hidden_%s".formatted(table, table)).update();
		}
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> verb.call().apply(this.operator));
		List<AuditEntry> entries = entries();
		assertThat(entries).hasSize(1);
		OperatorAction action = entries.get(0).action();
		assertThat(action.verb()).isEqualTo(verb.name());
		assertThat(action.selection()).isEqualTo(verb.selection());
		assertThat(action.affected()).isZero();
		assertThat(action.error()).contains("outbox_");
	}

	@Test
	void theseAreAllVerbs() {
		Set<String> methods = Arrays.stream(OutboxAdministration.class.getMethods())
			.filter((method) -> method.getReturnType() == VerbResult.class)
			.map(Method::getName)
			.filter((name) -> !name.equals("dryRun"))
			.collect(Collectors.toSet());
		Set<String> verbs = verbs().map((verb) -> verb.name().toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
		verbs.add("apply");
		assertThat(verbs).isEqualTo(methods);
	}

	static Stream<Verb> verbs() {
		return Stream.concat(
				Arrays.stream(OperatorVerb.values())
					.map((verb) -> new Verb(verb.name(), "all",
							(operator) -> operator.apply(verb, MessageSelection.all()))),
				Stream.of(
						new Verb("REROUTE", "all to exchange 'shop' routing key 'orders'",
								(operator) -> operator.reroute(MessageSelection.all(),
										Reroute.to(new Destination("shop", "orders")))),
						new Verb("REPLAY", "all",
								(operator) -> operator.replay(ArchiveReplay.of(MessageSelection.all())))));
	}

	private void storeMessagesForAllVerbs() {
		this.tables.commit("archived");
		ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(10);
		this.tables.commit("dead");
		this.tables.block("TRUE");
		this.tables.operator(true, (partitions) -> {
		}).skip(MessageSelection.all());
		this.tables.commit("blocked");
		this.tables.block("TRUE");
		Message message = OutboxTables.message("delayed");
		new JdbcOutboxStore(this.tables.outbox(), true).append(
				List.of(new Message(message.messageId(), message.name(), message.partitionKey(), message.destination(),
						message.contentType(), message.payload(), message.headers(), Delay.of(Duration.ofHours(1)))));
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

	record Verb(String name, String selection, Function<OutboxAdministration, VerbResult> call) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
