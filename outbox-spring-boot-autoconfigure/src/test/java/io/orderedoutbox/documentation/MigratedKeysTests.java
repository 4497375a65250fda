/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A move keeps each key as it is, byte by byte: keys that look like none are keys, and
 * keys that look like each other stay apart, whatever the old tables make of them.
 */
@Timeout(120)
class MigratedKeysTests {

	// Blank, of no width, without weight, the word of JSON, unlike only in case, accent
	// or at the end, beyond the first plane of Unicode, and to be escaped
	private static final List<String> KEYS = List.of(" ", "   ", "\t", "\u200b", "null", "NULL", "0", "a", "A",
			"\u00e4", "a ", "\ud83d\ude00", "\ud83d\ude01", "\"\\\"");

	// Of PostgreSQL: what differs in nothing but case, accents or control characters is
	// equal
	private static final String BLIND = "CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)";

	private static final JsonMapper MAPPER = new JsonMapper();

	// The empty one is that of the database
	static List<String> collations() {
		return Servers.database().isPostgreSql() ? List.of("", "blind")
				: List.of("", "utf8mb4_general_ci", "utf8mb4_bin", "latin1_swedish_ci");
	}

	@ParameterizedTest
	@MethodSource("collations")
	void ofATableOfOnesOwn(String collation) {
		List<@Nullable String> keys = keys(collation, "", null);
		try (MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.HOME_MADE, "outbox_", 5)) {
			procedure.run(0);
			convert(procedure, "shop_outbox", collation, "event_id", "aggregate_id", "event_type");
			procedure.createOutbox();
			for (int i = 0; i < keys.size(); i++) {
				procedure.jdbc()
					.sql("INSERT INTO shop_outbox (event_id, event_type, aggregate_id, payload, created_at) VALUES (?, 'order.placed', ?, ?, UTC_TIMESTAMP(6))")
					.params(Arrays.asList(id(i), keys.get(i), event(keys.get(i))))
					.update();
			}
			procedure.run(2);
			assertMoved(procedure, "outbox_", keys);
			// As if all had been written by the new version
			procedure.jdbc().sql("DELETE FROM shop_outbox").update();
			procedure.run(4);
			assertThat(procedure.jdbc()
				.sql("SELECT event_id, COALESCE(aggregate_id, 'none'), payload FROM shop_outbox WHERE sent_at IS NULL ORDER BY id")
				.query((rs, row) -> List.of(rs.getString(1), rs.getString(2), rs.getString(3)))
				.list()).isEqualTo(expected(keys, "none"));
		}
	}

	@ParameterizedTest
	@MethodSource("collations")
	void ofSpringModulith(String collation) {
		List<@Nullable String> keys = keys(collation, "", null);
		try (MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.MODULITH, "outbox_", 7)) {
			procedure.createTablesOf(OtherLibrary.MODULITH_2);
			convert(procedure, "EVENT_PUBLICATION", collation);
			procedure.createOutbox();
			procedure.run(0);
			for (int i = 0; i < keys.size(); i++) {
				procedure.jdbc()
					.sql("""
							INSERT INTO EVENT_PUBLICATION (ID, LISTENER_ID, EVENT_TYPE, SERIALIZED_EVENT, PUBLICATION_DATE, STATUS)
							VALUES (?, 'org.springframework.modulith.events.support.EventExternalizerModuleListener.externalize(java.lang.Object)',
							'com.example.shop.OrderPlaced', ?, ?, 'PUBLISHED')""")
					.params(id(i), event(keys.get(i)), time(i))
					.update();
			}
			procedure.run(2);
			assertMoved(procedure, "outbox_", keys);
			assertThat(procedure.ask(4)).extracting((row) -> ((Number) row.get("other_key")).intValue())
				.containsExactly(0);
			procedure.run(5);
			assertThat(procedure.jdbc()
				.sql("SELECT SERIALIZED_EVENT FROM EVENT_PUBLICATION ORDER BY PUBLICATION_DATE")
				.query(String.class)
				.list()).isEqualTo(keys.stream().map(MigratedKeysTests::event).toList());
		}
	}

	@ParameterizedTest
	@MethodSource("collations")
	void ofNamastack(String collation) {
		List<@Nullable String> keys = keys(collation, "");
		try (MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.NAMASTACK, "ordered_outbox_", 5)) {
			procedure.createTablesOf(OtherLibrary.NAMASTACK);
			convert(procedure, "outbox_record", collation, "record_key");
			procedure.createOutbox();
			procedure.run(0);
			for (int i = 0; i < keys.size(); i++) {
				procedure.jdbc()
					.sql("""
							INSERT INTO outbox_record (id, status, record_key, record_type, payload, created_at, failure_count, next_retry_at,
							partition_no, handler_id) VALUES (?, 'NEW', ?, 'com.example.shop.OrderPlaced', ?, ?, 0, ?, 7,
							'io.namastack.outbox.rabbit.RabbitOutboxHandler#handle()')""")
					.params(id(i), keys.get(i), event(keys.get(i)), time(i), time(i))
					.update();
			}
			procedure.run(2);
			assertMoved(procedure, "ordered_outbox_", keys);
		}
	}

	private static List<@Nullable String> keys(String collation, @Nullable String... none) {
		boolean isUnicode = !collation.startsWith("latin1");
		List<@Nullable String> keys = new ArrayList<>(Arrays.asList(none));
		KEYS.stream()
			.filter((key) -> isUnicode || StandardCharsets.ISO_8859_1.newEncoder().canEncode(key))
			.forEach(keys::add);
		return keys;
	}

	private static void convert(MigrationProcedure procedure, String table, String collation, String... columns) {
		if (collation.equals("blind")) {
			procedure.jdbc().sql(BLIND).update();
			for (String column : columns) {
				procedure.jdbc()
					.sql("ALTER TABLE %s ALTER %s TYPE VARCHAR(255) COLLATE blind".formatted(table, column))
					.update();
			}
		}
		else if (!collation.isEmpty()) {
			procedure.jdbc()
				.sql("ALTER TABLE %s CONVERT TO CHARACTER SET %s COLLATE %s".formatted(table,
						collation.replaceFirst("_.*", ""), collation))
				.update();
		}
	}

	private static void assertMoved(MigrationProcedure procedure, String prefix, List<@Nullable String> keys) {
		List<Moved> moved = procedure.jdbc()
			.sql("SELECT message_id, partition_key, lane, payload FROM " + prefix + "message ORDER BY id")
			.query(Moved.class)
			.list();
		assertThat(moved).extracting(Moved::content).isEqualTo(expected(keys, ""));
		assertThat(moved).allSatisfy((message) -> assertThat(message.lane).as("lane of key '%s'", message.partitionKey)
			.isEqualTo(new Partitions().of(message.partitionKey, UUID.fromString(message.messageId))));
		assertThat(procedure.numbers(3)).isEqualTo(
				Map.of("left_behind", 0, "in_outbox", keys.size(), "different_ids", keys.size(), "in_another_lane", 0));
	}

	private static List<List<String>> expected(List<@Nullable String> keys, String none) {
		List<List<String>> expected = new ArrayList<>();
		for (int i = 0; i < keys.size(); i++) {
			String key = Objects.requireNonNullElse(keys.get(i), "");
			expected.add(List.of(id(i), key.isEmpty() ? none : key, event(keys.get(i))));
		}
		return expected;
	}

	// In this order
	private static String id(int number) {
		return new UUID(0, number).toString();
	}

	private static Timestamp time(int number) {
		return Timestamp.from(Instant.ofEpochSecond(1_700_000_000L + number));
	}

	private static String event(@Nullable String key) {
		return (key != null) ? MAPPER.writeValueAsString(Map.of("orderId", key)) : "{\"orderId\":null}";
	}

	private record Moved(String messageId, String partitionKey, long lane, byte[] payload) {

		List<String> content() {
			return List.of(this.messageId, this.partitionKey, new String(this.payload, StandardCharsets.UTF_8));
		}

	}

}
