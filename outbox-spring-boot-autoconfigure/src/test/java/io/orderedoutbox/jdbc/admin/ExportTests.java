/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.io.StringWriter;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.JsonLines;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.admin.OutboxPage;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.InterceptedDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.datasource.IsolationLevelDataSourceAdapter;
import org.springframework.transaction.TransactionDefinition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What is dead or archived is written as JSON, a message on each line.
 */
class ExportTests {

	private final OutboxTables tables = new OutboxTables();

	private final JdbcOutboxAdministration operator = new JdbcOutboxAdministration(
			new OutboxDatabase(this.tables.writer(), "outbox_", true, new Partitions()), true, (partitions) -> {
			});

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void everythingIsWrittenOnceTheOldestFirst() {
		archive(IntStream.range(0, 250).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_archive");
		List<JsonNode> lines = export(MessageState.ARCHIVED, MessageSelection.all(), TimeRange.ALWAYS);
		assertThat(lines).extracting((line) -> line.path("messageId").asString()).isEqualTo(ids).hasSize(250);
	}

	@Test
	void aLineHasAllThatTheMessageCarries() {
		this.tables.commit("ä", "b");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET headers = '{\"h\":\"x\",\"n\":17}', payload = '{\"a\": 1}\n' WHERE id = 1")
			.update();
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET payload = ? WHERE id = 2")
			.param(new byte[] { 0, (byte) 0xff, (byte) 0x80 })
			.update();
		ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(3);
		JsonNode line = export(MessageState.ARCHIVED, MessageSelection.key("ä"), TimeRange.ALWAYS).get(0);
		assertThat(line.propertyNames()).containsExactly("messageId", "name", "partitionKey", "exchange", "routingKey",
				"state", "createdAt", "since", "attempts", "headers", "contentType", "payload");
		assertThat(line.path("headers").toString()).isEqualTo("{\"h\":\"x\",\"n\":17}");
		assertThat(line.path("payload").asString()).isEqualTo("{\"a\": 1}\n");
		assertThat(Instant.parse(line.path("since").asString()))
			.isAfter(Instant.parse(line.path("createdAt").asString()));
		assertThat(export(MessageState.ARCHIVED, MessageSelection.key("b"), TimeRange.ALWAYS).get(0)
			.path("payloadBase64")
			.asString()).isEqualTo("AP+A");
	}

	@Test
	void anExportIsOfARangeOfTime() {
		archive("a", "b", "c");
		Instant noon = Instant.parse("2026-01-02T12:00:00Z");
		SqlFragments sql = this.tables.outbox().dialect().sql();
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET partition_key = CONCAT('key-', id), published_at = "
					+ sql.after("-id * 60000000", sql.time(noon)))
			.update();
		assertThat(export(MessageState.ARCHIVED, MessageSelection.all(),
				TimeRange.between(noon.minusSeconds(120), noon.minusSeconds(60))))
			.extracting((line) -> line.path("partitionKey").asString())
			.containsExactly("key-2");
		assertThat(export(MessageState.ARCHIVED, MessageSelection.all(), TimeRange.since(noon))).isEmpty();
	}

	@Test
	void deadLettersAreExportedWithWhatWentWrong() {
		this.tables.commit("a", "b");
		this.tables.block("TRUE");
		this.operator.skip(MessageSelection.all());
		List<JsonNode> lines = export(MessageState.DEAD, MessageSelection.name("order.placed"), TimeRange.ALWAYS);
		assertThat(lines).extracting((line) -> line.path("lastError").asString())
			.containsExactly("returned", "returned");
		assertThat(lines.get(0).path("state").asString()).isEqualTo("dead");
	}

	@Test
	void deadLettersOfAGroupAreExportedAndNoOthers() {
		this.tables.fill(250, 250);
		this.tables.block("TRUE");
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET last_error = CONCAT('order ', id, ' is locked') WHERE id % 100 = 0")
			.update();
		this.operator.skip(MessageSelection.all());
		MessageSelection group = MessageSelection.group("queue 'nowhere': order # is locked");
		assertThat(export(MessageState.DEAD, group, TimeRange.ALWAYS))
			.extracting((line) -> line.path("lastError").asString())
			.containsExactlyInAnyOrder("order 100 is locked", "order 200 is locked");
		assertThat(ids(MessageExport.of(MessageState.DEAD).selecting(group).atMost(1))).hasSize(1);
	}

	@Test
	void anExportEndsAtItsLimitAndReadsNothingBeforeItIsAsked() {
		Iterator<MessageContent> asked = this.operator.export(MessageExport.of(MessageState.ARCHIVED));
		archive(IntStream.range(0, 120).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_archive");
		for (int limit : new int[] { 1, 99, 100, 101, 119, 120, 121 }) {
			assertThat(ids(MessageExport.of(MessageState.ARCHIVED).atMost(limit)))
				.isEqualTo(ids.subList(0, Math.min(limit, 120)));
		}
		assertThat(asked).toIterable().hasSize(120);
		assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(asked::next);
	}

	@Test
	void whatIsArchivedMeanwhileIsLeftOutAndWhatIsRemovedMeanwhileEndsNothing() {
		archive(IntStream.range(0, 250).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		List<String> ids = this.tables.column(String.class, "message_id", "outbox_archive");
		Iterator<MessageContent> asked = this.operator.export(MessageExport.of(MessageState.ARCHIVED));
		assertThat(asked.next().message().messageId()).isEqualTo(ids.get(0));
		archive("later");
		List<Long> stored = this.tables.column(Long.class, "id", "outbox_archive");
		this.tables.jdbc()
			.sql("DELETE FROM outbox_archive WHERE id > ? AND id <= ?")
			.params(stored.get(99), stored.get(229))
			.update();
		assertThat(asked).toIterable()
			.extracting((content) -> content.message().messageId())
			.startsWith(ids.get(1))
			.endsWith(ids.get(249))
			.hasSize(119);
	}

	@Test
	void largePayloadsAreReadFewAtATime() {
		assertThat(fitting(4 << 20)).isOne();
		assertThat(fitting(5 << 20, 1)).as("at least one, however large").isOne();
		assertThat(fitting(1, 4 << 20)).isOne();
		assertThat(fitting(1 << 20, 1 << 20, 1 << 20, 1 << 20, 1)).isEqualTo(4);
		assertThat(fitting()).isZero();
		archive("a", "b", "c", "d", "e", "f");
		String large = Servers.database()
			.choose("REPEAT('x', 1500000)", "convert_to(REPEAT('x', 1500000), 'UTF8')", "REPEAT('x', 1500000)");
		this.tables.jdbc()
			.sql("UPDATE outbox_archive SET payload_size = 1500000, payload = %s WHERE id <> 3".formatted(large))
			.update();
		assertThat(this.operator.export(MessageExport.of(MessageState.ARCHIVED))).toIterable()
			.extracting((content) -> content.message().partitionKey())
			.containsExactlyElementsOf(this.tables.column(String.class, "partition_key", "outbox_archive"));
	}

	private static int fitting(int... sizes) {
		return ExportedParts.Sized
			.fitting(Arrays.stream(sizes).mapToObj((size) -> new ExportedParts.Sized(1, size)).toList());
	}

	@Test
	void withoutPayloadsNoneIsReadAndMaskedLinesHaveNeitherPayloadNorValues() {
		this.tables.commit("a");
		this.tables.jdbc().sql("UPDATE outbox_message SET headers = '{\"x-token\":\"s3cret\"}'").update();
		ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(1);
		MessageContent content = this.operator.export(MessageExport.of(MessageState.ARCHIVED).withoutPayloads()).next();
		assertThat(content.payload()).isEmpty();
		StringWriter writer = new StringWriter();
		JsonLines.masking(writer).accept(content);
		JsonNode line = JsonMapper.shared().readTree(writer.toString());
		assertThat(line.propertyNames()).containsExactly("messageId", "name", "partitionKey", "exchange", "routingKey",
				"state", "createdAt", "since", "attempts", "headers", "contentType");
		assertThat(line.path("headers").toString()).isEqualTo("{\"x-token\":\"******\"}");
	}

	private List<String> ids(MessageExport export) {
		List<String> ids = new ArrayList<>();
		this.operator.export(export).forEachRemaining((content) -> ids.add(content.message().messageId()));
		return ids;
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "DUE", "DELAYED", "STALLED", "BLOCKED" })
	void whatIsInTheOutboxIsExportedAsItIsListed(MessageState state) {
		this.tables.fill(150, 150);
		this.tables.commit("long", "long", "a b");
		switch (state) {
			case DELAYED -> this.tables.jdbc().sql("UPDATE outbox_message SET available_at = '2050-01-01'").update();
			case STALLED -> this.tables.stall("TRUE");
			case BLOCKED -> this.tables.block("TRUE");
			default -> this.tables.stall("partition_key = 'filler-7'");
		}
		for (MessageSelection selection : List.of(MessageSelection.all(), MessageSelection.key("long"),
				MessageSelection.key("filler-7"), MessageSelection.name("order.placed"))) {
			List<MessageSummary> listed = new ArrayList<>();
			String after = null;
			do {
				OutboxPage page = this.operator.list(state, selection, after, 100);
				listed.addAll(page.messages());
				after = page.next();
			}
			while (after != null);
			Iterator<MessageContent> exported = this.operator.export(MessageExport.of(state).selecting(selection));
			assertThat(exported).toIterable()
				.extracting((content) -> content.message().withWaitingBehind(0))
				.as(selection.toString())
				.isEqualTo(listed.stream().map((message) -> message.withWaitingBehind(0)).toList());
			assertThat(exported.hasNext()).isFalse();
		}
		MessageContent content = this.operator.export(MessageExport.of(state).atMost(1)).next();
		assertThat(content.payload()).hasSize((int) content.payloadSize()).isNotEmpty();
		assertThat(this.operator.export(MessageExport.of(state).withoutPayloads()).next().payload()).isEmpty();
		assertThat(this.operator.export(MessageExport.of(state).during(TimeRange.since(Instant.MAX))).hasNext())
			.isFalse();
	}

	@Test
	void whatComesIntoTheOutboxMeanwhileIsLeftOut() {
		this.tables.fill(150, 150);
		Iterator<MessageContent> pending = this.operator.export(MessageExport.of(MessageState.PENDING));
		assertThat(pending.hasNext()).isTrue();
		this.tables.commit("later");
		assertThat(pending).toIterable().hasSize(150);
		this.tables.block("partition_key <> 'later'");
		Iterator<MessageContent> blocked = this.operator.export(MessageExport.of(MessageState.BLOCKED));
		assertThat(blocked.hasNext()).isTrue();
		this.tables.block("partition_key = 'later'");
		assertThat(blocked).toIterable().hasSize(150);
	}

	@ParameterizedTest
	@EnumSource(names = { "PENDING", "BLOCKED", "DEAD", "ARCHIVED" })
	void whatComesBeforeAMessageWhileAPartIsReadTakesNoPlaceOfIt(MessageState state) {
		this.tables.commit(IntStream.range(0, 150).mapToObj((i) -> "key-" + i).toArray(String[]::new));
		if (state == MessageState.ARCHIVED) {
			ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(150);
		}
		else if (state != MessageState.PENDING) {
			this.tables.block("TRUE");
		}
		if (state == MessageState.DEAD) {
			this.operator.skip(MessageSelection.all());
		}
		List<String> listed = ids(MessageExport.of(state));
		String table = (state == MessageState.ARCHIVED) ? "outbox_archive"
				: (state == MessageState.DEAD) ? "outbox_dead_letter" : "outbox_message";
		String rename = "UPDATE %s SET name = ? WHERE message_id = '%s'".formatted(table, listed.get(0));
		this.tables.jdbc().sql(rename).param("other").update();
		IsolationLevelDataSourceAdapter committed = new IsolationLevelDataSourceAdapter();
		committed.setTargetDataSource(this.tables.writer());
		committed.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		JdbcOutboxAdministration meanwhile = new JdbcOutboxAdministration(new OutboxDatabase(
				new BeforeContents(committed, () -> this.tables.jdbc().sql(rename).param("order.placed").update()),
				"outbox_", true, new Partitions()), true, (partitions) -> {
				});
		List<String> exported = new ArrayList<>();
		meanwhile.export(MessageExport.of(state).selecting(MessageSelection.name("order.placed")))
			.forEachRemaining((content) -> exported.add(content.message().messageId()));
		assertThat(exported).filteredOn((id) -> !id.equals(listed.get(0))).isEqualTo(listed.subList(1, 150));
	}

	@Test
	void whereThereIsNothingNothingIsExported() {
		for (MessageState state : MessageState.values()) {
			assertThat(this.operator.export(MessageExport.of(state)).hasNext()).as(state.name()).isFalse();
		}
	}

	@Test
	void stuckMessagesOfAGroupAreExportedAndNoOthers() {
		this.tables.fill(120, 120);
		this.tables.block("TRUE");
		this.tables.jdbc().sql("UPDATE outbox_message SET last_error = 'locked' WHERE id > 115").update();
		assertThat(ids(
				MessageExport.of(MessageState.BLOCKED).selecting(MessageSelection.group("queue 'nowhere': locked"))))
			.hasSize(5);
	}

	@Test
	void whatCannotBeExportedIsRefused() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> export(MessageState.ARCHIVED, MessageSelection.group("x"), TimeRange.ALWAYS))
			.withMessageContaining("the state must be stalled, blocked or dead");
		assertThatIllegalArgumentException().isThrownBy(() -> MessageExport.of(MessageState.DEAD).atMost(0))
			.withMessageContaining("'limit' must be positive");
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> this.tables.operator(true, (partitions) -> {
			}).export(MessageState.ARCHIVED, MessageSelection.all(), TimeRange.ALWAYS, (content) -> {
			}))
			.withMessageContaining("There is no archive");
	}

	private void archive(String... keys) {
		this.tables.commit(keys);
		ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 100)).drain(100);
	}

	private List<JsonNode> export(MessageState state, MessageSelection selection, TimeRange range) {
		StringWriter writer = new StringWriter();
		long exported = this.operator.export(state, selection, range, new JsonLines(writer));
		List<JsonNode> lines = writer.toString().lines().map(JsonMapper.shared()::readTree).toList();
		assertThat(lines).hasSize((int) exported);
		return lines;
	}

	/** Does something once, before the first contents of messages are read. */
	private static final class BeforeContents extends InterceptedDataSource {

		private final AtomicReference<@Nullable Runnable> work;

		BeforeContents(DataSource dataSource, Runnable work) {
			super(dataSource);
			this.work = new AtomicReference<>(work);
		}

		@Override
		protected Interceptor opened(Connection connection) {
			return (call) -> {
				boolean isOfContents = call.arguments() != null && call.arguments().length > 0
						&& call.arguments()[0] instanceof String sql && sql.contains("AS payload");
				Runnable once = isOfContents ? this.work.getAndSet(null) : null;
				if (once != null) {
					once.run();
				}
				return call.proceed();
			};
		}

	}

}
