package io.orderedoutbox.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Maps partition keys to the rows of {@code outbox_stripe}. Writers in other languages
 * can compute the same: {@code CRC32(partition_key) % 1024} in SQL, over UTF-8.
 */
final class Stripes {

	static final int COUNT = 1024;

	private Stripes() {
	}

	/**
	 * Lock the stripes of the given keys until the transaction ends. From then on nobody
	 * else takes a position for one of these keys.
	 */
	static void lock(JdbcTemplate jdbc, OutboxDatabase database, List<String> keys) {
		List<Integer> stripes = of(keys.stream());
		if (stripes.isEmpty()) {
			return;
		}
		List<Integer> locked = jdbc.queryForList(database.statements().lockStripes, Integer.class, stripes.toString());
		if (locked.size() != stripes.size()) {
			throw lost(database, stripes, locked);
		}
	}

	static OutboxConfigurationException lost(OutboxDatabase database, List<Integer> stripes, List<Integer> locked) {
		return new OutboxConfigurationException(
				"Table %sstripe has lost rows: of stripes %s only %s are there.".formatted(database.tablePrefix(),
						stripes, locked),
				"Fill it with the ids 0 to %d; without them no order can be kept.".formatted(COUNT - 1));
	}

	/**
	 * The stripes of the given keys, ascending and without repetition. Every transaction
	 * locks in this order, so that two cannot wait for one another.
	 */
	static List<Integer> of(Stream<String> keys) {
		return keys.filter((key) -> !key.isEmpty()).map(Stripes::of).distinct().sorted().toList();
	}

	static int of(String key) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % COUNT);
	}

}
