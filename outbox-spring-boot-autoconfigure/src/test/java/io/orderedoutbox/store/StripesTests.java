package io.orderedoutbox.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * From partition keys to the rows that are locked for them.
 */
class StripesTests {

	@Tag("unit")
	@Test
	void stripesAscendWithoutRepetition() {
		List<Message> messages = new ArrayList<>();
		for (int i = 0; i < 3000; i++) {
			messages.add(message("key " + i));
		}
		Collections.shuffle(messages, new Random(1));
		assertThat(Stripes.of(messages.stream().map(Message::partitionKey))).isSorted()
			.doesNotHaveDuplicates()
			.allMatch((stripe) -> stripe >= 0 && stripe < Stripes.COUNT)
			.hasSizeGreaterThan(900);
	}

	@Tag("unit")
	@Test
	void messagesWithoutKeyNeedNoStripe() {
		assertThat(Stripes.of(Stream.of(message(""), message("")).map(Message::partitionKey))).isEmpty();
		assertThat(Stripes.of(Stream.of(message(""), message("a")).map(Message::partitionKey))).hasSize(1);
	}

	@Test
	void writersInOtherLanguagesComputeTheSameStripesInSql() {
		Database database = Servers.database();
		JdbcClient jdbc = JdbcClient
			.create(new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password()));
		for (String key : keys()) {
			long stripe = jdbc.sql("SELECT CRC32(CONVERT(? USING utf8mb4)) % 1024")
				.param(key.getBytes(StandardCharsets.UTF_8))
				.query(Long.class)
				.single();
			assertThat(Stripes.of(Stream.of(message(key)).map(Message::partitionKey))).as(key)
				.containsExactly((int) stripe);
		}
	}

	private static List<String> keys() {
		List<String> keys = new ArrayList<>(
				Arrays.asList("a", "A", "a ", "ä", "😀", "нет", "\u0000", "x".repeat(255), "😀".repeat(255)));
		for (int i = 0; i < 50; i++) {
			keys.add(UUID.nameUUIDFromBytes(new byte[] { (byte) i }).toString());
		}
		return keys;
	}

	private static Message message(String key) {
		return new Message(new UUID(0, 0), "name", key, new Destination("", ""), "text/plain", new byte[0], Map.of());
	}

}
