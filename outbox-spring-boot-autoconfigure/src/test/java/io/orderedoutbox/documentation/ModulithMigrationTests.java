/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.datasource.init.ScriptException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * From the event publications of Spring Modulith to the outbox, and back, with the SQL of
 * the page.
 * <p>
 * The tables are those of Spring Modulith's own scripts, in both of its structures, and
 * the one that Hibernate makes of its entity, with the SQL rewritten as the page says.
 */
@Timeout(120)
class ModulithMigrationTests {

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.MODULITH, "outbox_", 7);

	static List<OtherLibrary> registries() {
		List<OtherLibrary> registries = new ArrayList<>(List.of(OtherLibrary.MODULITH_1, OtherLibrary.MODULITH_2));
		// What Hibernate makes differs between versions of MariaDB
		if (!Servers.database().platform().equals("mariadb")) {
			registries.add(OtherLibrary.MODULITH_JPA);
		}
		return registries;
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@ParameterizedTest
	@MethodSource("registries")
	void whatIsThereIsSeenByListenerAndType(OtherLibrary library) {
		ModulithPublications publications = new ModulithPublications(this.procedure, library);
		publications.write("nowhere", ModulithPublications.PLACED, "{}");
		publications.write("null", ModulithPublications.PLACED, "{\"orderId\":null}");
		publications.write("empty", ModulithPublications.PLACED, "{\"orderId\":\"\"}");
		publications.write("object", ModulithPublications.PLACED, "{\"orderId\":{\"value\":1}}");
		publications.write("other case", ModulithPublications.PLACED.toUpperCase(Locale.ROOT), "{\"orderId\":\"a\"}");
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
	@MethodSource("registries")
	void whatTheExternalizerHasNotCompletedIsMovedInTheOrderOfItsDates(OtherLibrary library) {
		ModulithPublications publications = new ModulithPublications(this.procedure, library);
		this.procedure.run(2);
		assertThat(this.procedure.jdbc()
			.sql("""
					SELECT CONCAT_WS('|', message_id, name, partition_key, routing_key, content_type, %s, %s)
					FROM outbox_message ORDER BY id""".formatted(this.procedure.payloadAsText(),
					this.procedure.choose("created_at",
							"to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')")))
			.query(String.class)
			.list())
			.isEqualTo(publications.toMove()
				.stream()
				.map((publication) -> String.join("|", publication.id(), publication.name(), publication.key(),
						publication.name(), "application/json", publication.event(), publication.createdAt()))
				.toList());
		assertThat(this.procedure.numbers(3))
			.isEqualTo(Map.of("left_behind", 1, "in_outbox", 200, "different_ids", 200, "in_another_lane", 0));
		assertThat(publications.ids()).containsExactlyInAnyOrder(ModulithPublications.id("completed"),
				ModulithPublications.id("listener"), ModulithPublications.id("unknown"));
		this.procedure.run(2);
		assertThat(this.procedure.depth()).isEqualTo(200);
	}

	@ParameterizedTest
	@MethodSource("registries")
	void aClassIsNotTakenForOneWhoseNameDiffersInCase(OtherLibrary library) {
		ModulithPublications publications = new ModulithPublications(this.procedure, library);
		publications.write("other case", ModulithPublications.PLACED.toUpperCase(Locale.ROOT), "{\"orderId\":\"a\"}");
		this.procedure.run(2);
		assertThat(publications.ids()).contains(ModulithPublications.id("other case"));
		assertThat(this.procedure.numbers(3)).containsEntry("left_behind", 2).containsEntry("in_outbox", 200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"value\":1}", "[1]" })
	void anEventWhoseKeyIsNoTextIsNotMovedAndNoOther(String key) {
		ModulithPublications publications = new ModulithPublications(this.procedure, OtherLibrary.MODULITH_2);
		publications.write("misfit", ModulithPublications.PLACED, withKey(key));
		assertNothingIsMoved(publications);
	}

	@Test
	void anEventWhoseKeyIsTooLongIsNotMovedAndNoOther() {
		ModulithPublications publications = new ModulithPublications(this.procedure, OtherLibrary.MODULITH_2);
		publications.write("misfit", ModulithPublications.PLACED, withKey("\"" + "k".repeat(256) + "\""));
		assertNothingIsMoved(publications);
	}

	private static String withKey(String key) {
		return "{\"orderId\":%s}".formatted(key);
	}

	private void assertNothingIsMoved(ModulithPublications publications) {
		List<String> before = publications.ids();
		assertThatExceptionOfType(ScriptException.class).isThrownBy(() -> this.procedure.run(2));
		assertThat(this.procedure.depth()).isZero();
		assertThat(publications.ids()).isEqualTo(before);
	}

	@ParameterizedTest
	@MethodSource("registries")
	@Tag("order")
	void itIsRelayedInThatOrderAndBeforeWhatIsWrittenLater(OtherLibrary library) {
		ModulithPublications publications = new ModulithPublications(this.procedure, library);
		this.procedure.run(2);
		Map<String, List<String>> written = new LinkedHashMap<>();
		publications.toMove()
			.forEach((publication) -> written.computeIfAbsent(publication.key(), (key) -> new ArrayList<>())
				.add(publication.event()));
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

	@Test
	void aNewVersionThatMakesOtherKeysIsSeenBeforeItIsStarted() {
		new ModulithPublications(this.procedure, OtherLibrary.MODULITH_2);
		this.procedure.jdbc()
			.sql("UPDATE modulith_type SET key_path = ? WHERE name = 'stock.counted'")
			.param(this.procedure.choose("$.article.value", "{article,value}"))
			.update();
		this.procedure.jdbc()
			.sql("DELETE FROM EVENT_PUBLICATION WHERE EVENT_TYPE <> ?")
			.param(ModulithPublications.PLACED)
			.update();
		this.procedure.run(2);
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1000), new CountedOfValue(new Article("42")));
			assertThat(otherKeys()).containsExactly("order.placed 0", "stock.counted 0");
			application.publish(new CountedOfArticle(new Article("42")));
			assertThat(otherKeys()).containsExactly("order.placed 0", "stock.counted 1");
		}
	}

	private List<String> otherKeys() {
		return this.procedure.ask(4)
			.stream()
			.map((row) -> "%s %d".formatted(row.get("name"), ((Number) row.get("other_key")).intValue()))
			.toList();
	}

	// MySQL reads a number from JSON as it computes with it
	@ParameterizedTest
	@ValueSource(strings = { "1.50", "100000000000000000001" })
	void aNumberOfWhichDigitsAreLostIsSeenBeforeItIsStarted(String key) {
		ModulithPublications publications = new ModulithPublications(this.procedure, OtherLibrary.MODULITH_2);
		publications.write("number", ModulithPublications.PLACED, withKey(key));
		this.procedure.run(2);
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			UUID written = application.publish(new PlacedOfNumber(new BigDecimal(key)));
			int keys = this.procedure.jdbc()
				.sql("SELECT COUNT(DISTINCT partition_key) FROM outbox_message WHERE message_id IN (?, ?)")
				.params(ModulithPublications.id("number"), written.toString())
				.query(Integer.class)
				.single();
			assertThat(otherKeys()).contains("order.placed " + (keys - 1));
			assertThat(keys).isEqualTo(Servers.database().platform().equals("mysql") ? 2 : 1);
		}
	}

	@ParameterizedTest
	@MethodSource("registries")
	void whatTheOutboxHasNotSentBecomesPublicationsAgain(OtherLibrary library) {
		ModulithPublications publications = new ModulithPublications(this.procedure, library);
		this.procedure.run(2);
		this.procedure.jdbc().sql("DELETE FROM outbox_message WHERE id % 2 = 0").update();
		UUID later;
		try (OutboxApplication application = this.procedure.application().withoutRelay().start()) {
			later = application.publish(new OrderPlaced("Größe 1", 1000));
		}
		this.procedure.run(5);
		assertThat(this.procedure.depth()).isZero();
		List<String> back = new ArrayList<>(IntStream.range(0, 200)
			.filter((i) -> i % 2 == 0)
			.mapToObj(publications.toMove()::get)
			.map((publication) -> "%s|%s|%s|%s.000123".formatted(publication.id(), publication.type(),
					publication.event(), publication.second()))
			.toList());
		List<String> found = publications.rows("ID, EVENT_TYPE, SERIALIZED_EVENT, " + publications.epoch(),
				"""
						WHERE COMPLETION_DATE IS NULL AND LISTENER_ID LIKE '%EventExternalizerModuleListener%' AND EVENT_TYPE <> 'com.example.shop.Unknown'
						ORDER BY PUBLICATION_DATE""");
		assertThat(found).hasSize(101).startsWith(back.toArray(String[]::new));
		assertThat(found.get(100))
			.startsWith(later + "|" + ModulithPublications.PLACED + "|{\"orderId\":\"Größe 1\",\"version\":1000}|");
		if (library != OtherLibrary.MODULITH_1) {
			this.procedure.run(6);
			assertThat(publications.rows("STATUS", "WHERE STATUS = 'FAILED' AND COMPLETION_ATTEMPTS = 1")).hasSize(102);
			assertThat(publications.rows("ID", "WHERE STATUS IS NULL")).isEmpty();
		}
	}

	@Test
	void whatGoesBackToTheTableOfTheEntityIsReadByHibernate() {
		assumeThat(registries()).contains(OtherLibrary.MODULITH_JPA);
		ModulithPublications publications = new ModulithPublications(this.procedure, OtherLibrary.MODULITH_JPA);
		this.procedure.run(2);
		this.procedure.run(5);
		this.procedure.run(6);
		try (ModulithEntities entities = this.procedure.entities()) {
			assertThat(entities.failed()).hasSize(201)
				.startsWith(publications.toMove()
					.stream()
					.map((publication) -> "%s|%s|%s".formatted(publication.id(), publication.event(),
							publication.date()))
					.toArray(String[]::new));
		}
	}

	private record Article(String value) {

	}

	@OutboxMessage("stock.counted")
	@PartitionKey("article.value")
	private record CountedOfValue(Article article) {

	}

	@OutboxMessage("stock.counted")
	private record CountedOfArticle(@PartitionKey Article article) {

	}

	@OutboxMessage("order.placed")
	private record PlacedOfNumber(@PartitionKey BigDecimal orderId) {

	}

}
