/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.init.ScriptException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * From the event publications of Spring Modulith to the outbox, and back, with the SQL of
 * the page.
 * <p>
 * The tables are those of Spring Modulith's own scripts, in both of its structures.
 */
@Timeout(120)
class ModulithMigrationTests {

	private static final String EXTERNALIZER = "org.springframework.modulith.events.support.%s.externalize(java.lang.Object)";

	private static final String LISTENER = "com.example.shop.Stock.on(com.example.shop.OrderPlaced)";

	private static final String PLACED = "com.example.shop.OrderPlaced";

	private static final String COUNTED = "com.example.shop.StockCounted";

	private static final String UNKNOWN = "com.example.shop.Unknown";

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.MODULITH, "outbox_", 6);

	// In the order of their dates
	private final List<Publication> publications = new ArrayList<>();

	private void write(OtherLibrary library) {
		this.procedure.createTablesOf(library);
		this.procedure.createOutbox();
		this.procedure.run(0);
		Random random = new Random(1);
		for (int i = 0; i < 200; i++) {
			String key = (i % 10 == 0) ? "" : "Größe " + random.nextInt(20);
			String event = (i % 10 == 0) ? "{\"count\":%d}".formatted(i)
					: "{\"orderId\":\"%s\",\"version\":%d}".formatted(key, i);
			String externalizer = EXTERNALIZER
				.formatted((i % 3 == 0) ? "DelegatingEventExternalizer" : "EventExternalizerModuleListener");
			this.publications.add(new Publication(UUID.randomUUID().toString(), externalizer,
					(i % 10 == 0) ? COUNTED : PLACED, key, event, i));
		}
		List<Publication> shuffled = new ArrayList<>(this.publications);
		Collections.shuffle(shuffled, random);
		shuffled.forEach((publication) -> write(publication, library, false));
		write(new Publication("listener", LISTENER, PLACED, "", "{\"orderId\":\"a\"}", 500), library, false);
		write(new Publication("unknown", EXTERNALIZER.formatted("EventExternalizerModuleListener"), UNKNOWN, "", "{}",
				501), library, false);
		write(new Publication("completed", EXTERNALIZER.formatted("EventExternalizerModuleListener"), PLACED, "", "{}",
				502), library, true);
	}

	private void write(Publication publication, OtherLibrary library, boolean isCompleted) {
		this.procedure.jdbc()
			.sql("""
					INSERT INTO EVENT_PUBLICATION (ID, LISTENER_ID, EVENT_TYPE, SERIALIZED_EVENT, PUBLICATION_DATE, COMPLETION_DATE)
					VALUES (?, ?, ?, ?, FROM_UNIXTIME(? + 0.000123), IF(?, CURRENT_TIMESTAMP, NULL))""")
			.params(publication.id, publication.listener, publication.type, publication.event, publication.second(),
					isCompleted)
			.update();
		if (library == OtherLibrary.MODULITH_2) {
			this.procedure.jdbc()
				.sql("UPDATE EVENT_PUBLICATION SET STATUS = ?, COMPLETION_ATTEMPTS = 1 WHERE ID = ?")
				.params(isCompleted ? "COMPLETED"
						: List.of("PUBLISHED", "PROCESSING", "FAILED").get(publication.number % 3), publication.id)
				.update();
		}
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@ParameterizedTest
	@EnumSource(names = "MODULITH_.", mode = Mode.MATCH_ALL)
	void whatIsThereIsSeenByListenerAndType(OtherLibrary library) {
		write(library);
		write(new Publication("nowhere", EXTERNALIZER.formatted("DelegatingEventExternalizer"), PLACED, "", "{}", 503),
				library, false);
		write(new Publication("null", EXTERNALIZER.formatted("DelegatingEventExternalizer"), PLACED, "",
				"{\"orderId\":null}", 504), library, false);
		write(new Publication("empty", EXTERNALIZER.formatted("DelegatingEventExternalizer"), PLACED, "",
				"{\"orderId\":\"\"}", 505), library, false);
		write(new Publication("object", EXTERNALIZER.formatted("DelegatingEventExternalizer"), PLACED, "",
				"{\"orderId\":{\"value\":1}}", 506), library, false);
		write(new Publication("other case", EXTERNALIZER.formatted("DelegatingEventExternalizer"),
				PLACED.toUpperCase(Locale.ROOT), "", "{\"orderId\":\"a\"}", 507), library, false);
		List<String> seen = this.procedure.ask(1)
			.stream()
			.map((row) -> "%s %s %s %s".formatted(
					row.get("listener").toString().replaceAll("^.*\\.(\\w+)\\.\\w+\\(.*", "$1"),
					row.get("event_type").toString().replaceAll("^.*\\.", ""), row.get("name"),
					((Number) row.get("without_key")).intValue()))
			.toList();
		assertThat(seen).containsExactlyInAnyOrder("Stock OrderPlaced order.placed 0",
				"DelegatingEventExternalizer OrderPlaced order.placed 4",
				"DelegatingEventExternalizer ORDERPLACED null 0",
				"DelegatingEventExternalizer StockCounted stock.counted 0",
				"EventExternalizerModuleListener OrderPlaced order.placed 0",
				"EventExternalizerModuleListener StockCounted stock.counted 0",
				"EventExternalizerModuleListener Unknown null 0");
		assertThat(this.procedure.ask(1).stream().mapToInt((row) -> ((Number) row.get("to_move")).intValue()).sum())
			.isEqualTo(207);
	}

	@ParameterizedTest
	@EnumSource(names = "MODULITH_.", mode = Mode.MATCH_ALL)
	void whatTheExternalizerHasNotCompletedIsMovedInTheOrderOfItsDates(OtherLibrary library) {
		write(library);
		this.procedure.run(2);
		assertThat(this.procedure.jdbc()
			.sql("""
					SELECT CONCAT_WS('|', message_id, name, partition_key, routing_key, content_type, CONVERT(payload USING utf8mb4), created_at)
					FROM outbox_message ORDER BY id""")
			.query(String.class)
			.list())
			.isEqualTo(this.publications.stream()
				.map((publication) -> String.join("|", publication.id, publication.name(), publication.key,
						publication.name(), "application/json", publication.event, publication.createdAt()))
				.toList());
		assertThat(this.procedure.numbers(3))
			.isEqualTo(Map.of("left_behind", 1, "in_outbox", 200, "different_ids", 200, "in_another_lane", 0));
		assertThat(ids()).containsExactly("completed", "listener", "unknown");
		this.procedure.run(2);
		assertThat(this.procedure.depth()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(names = "MODULITH_.", mode = Mode.MATCH_ALL)
	void aClassIsNotTakenForOneWhoseNameDiffersInCase(OtherLibrary library) {
		write(library);
		write(new Publication("other case", EXTERNALIZER.formatted("DelegatingEventExternalizer"),
				PLACED.toUpperCase(Locale.ROOT), "", "{\"orderId\":\"a\"}", 503), library, false);
		this.procedure.run(2);
		assertThat(ids()).contains("other case");
		assertThat(this.procedure.numbers(3)).containsEntry("left_behind", 2).containsEntry("in_outbox", 200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"value\":1}", "[1]", "\"%s\"" })
	void anEventWithoutAKeyThatFitsIsNotMovedAndNoOther(String key) {
		write(OtherLibrary.MODULITH_2);
		write(new Publication("misfit", EXTERNALIZER.formatted("DelegatingEventExternalizer"), PLACED, "",
				"{\"orderId\":%s}".formatted(key.formatted("k".repeat(256))), 503), OtherLibrary.MODULITH_2, false);
		List<String> before = ids();
		assertThatExceptionOfType(ScriptException.class).isThrownBy(() -> this.procedure.run(2));
		assertThat(this.procedure.depth()).isZero();
		assertThat(ids()).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource(names = "MODULITH_.", mode = Mode.MATCH_ALL)
	@Tag("order")
	void itIsRelayedInThatOrderAndBeforeWhatIsWrittenLater(OtherLibrary library) {
		write(library);
		this.procedure.run(2);
		Map<String, List<String>> written = new LinkedHashMap<>();
		this.publications.forEach((publication) -> written.computeIfAbsent(publication.key, (key) -> new ArrayList<>())
			.add(publication.event));
		List<String> withoutOrder = written.remove("");
		List<Arrival> arrivals = this.procedure.relay(200 + written.size(),
				(application) -> written.forEach((key, events) -> {
					application.publish(new OrderPlaced(key, 1000));
					events.add("{\"orderId\":\"%s\",\"version\":1000}".formatted(key));
				}));
		Map<String, List<String>> relayed = arrivals.stream()
			.map(Arrival::text)
			.collect(Collectors.groupingBy((event) -> event.replaceAll("^.*orderId\":\"(.*?)\".*|.*", "$1")));
		assertThat(relayed.remove("")).containsExactlyInAnyOrderElementsOf(withoutOrder);
		assertThat(relayed).isEqualTo(written);
	}

	@ParameterizedTest
	@EnumSource(names = "MODULITH_.", mode = Mode.MATCH_ALL)
	void whatTheOutboxHasNotSentBecomesPublicationsAgain(OtherLibrary library) {
		write(library);
		this.procedure.run(2);
		this.procedure.jdbc().sql("DELETE FROM outbox_message WHERE id % 2 = 0").update();
		UUID later;
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			later = application.publish(new OrderPlaced("Größe 1", 1000));
		}
		this.procedure.run(4);
		assertThat(this.procedure.depth()).isZero();
		List<String> back = new ArrayList<>(IntStream.range(0, 200)
			.filter((i) -> i % 2 == 0)
			.mapToObj(this.publications::get)
			.map((publication) -> "%s|%s|%s|%s.000123".formatted(publication.id, publication.type, publication.event,
					publication.second()))
			.toList());
		List<String> found = this.procedure.jdbc()
			.sql("""
					SELECT CONCAT_WS('|', ID, EVENT_TYPE, SERIALIZED_EVENT, UNIX_TIMESTAMP(PUBLICATION_DATE)) FROM EVENT_PUBLICATION
					WHERE COMPLETION_DATE IS NULL AND LISTENER_ID LIKE '%EventExternalizerModuleListener%' AND EVENT_TYPE <> 'com.example.shop.Unknown'
					ORDER BY PUBLICATION_DATE""")
			.query(String.class)
			.list();
		assertThat(found).hasSize(101).startsWith(back.toArray(String[]::new));
		assertThat(found.get(100)).startsWith(later + "|" + PLACED + "|{\"orderId\":\"Größe 1\",\"version\":1000}|");
		if (library == OtherLibrary.MODULITH_2) {
			this.procedure.run(5);
			assertThat(this.procedure.jdbc()
				.sql("SELECT COUNT(*) FROM EVENT_PUBLICATION WHERE STATUS = 'FAILED' AND COMPLETION_ATTEMPTS = 1")
				.query(Integer.class)
				.single()).isEqualTo(102);
			assertThat(this.procedure.jdbc()
				.sql("SELECT COUNT(*) FROM EVENT_PUBLICATION WHERE STATUS IS NULL")
				.query(Integer.class)
				.single()).isZero();
		}
	}

	private List<String> ids() {
		return this.procedure.jdbc().sql("SELECT ID FROM EVENT_PUBLICATION ORDER BY ID").query(String.class).list();
	}

	private record Publication(String id, String listener, String type, String key, String event, int number) {

		String name() {
			return this.type.equals(PLACED) ? "order.placed" : "stock.counted";
		}

		// Of an hour in which no publisher of the tests writes
		long second() {
			return 1_700_000_000L + this.number;
		}

		String createdAt() {
			return LocalDateTime.ofEpochSecond(second(), 123_000, ZoneOffset.UTC)
				.format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS"));
		}

	}

}
