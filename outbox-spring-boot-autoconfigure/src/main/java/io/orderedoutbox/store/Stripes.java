package io.orderedoutbox.store;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Maps partition keys to the rows of {@code outbox_stripe}. Writers in other languages
 * can compute the same: {@code CRC32(partition_key) % 1024} in SQL, over UTF-8.
 */
final class Stripes {

	static final int COUNT = 1024;

	private Stripes() {
	}

	/**
	 * The stripes of the keys of the given messages, ascending and without repetition.
	 * Every transaction locks in this order, so that two cannot wait for one another.
	 */
	static List<Integer> of(List<Message> messages) {
		return messages.stream()
			.map(Message::partitionKey)
			.filter((key) -> !key.isEmpty())
			.map(Stripes::of)
			.distinct()
			.sorted()
			.toList();
	}

	private static int of(String key) {
		CRC32 crc = new CRC32();
		crc.update(key.getBytes(StandardCharsets.UTF_8));
		return (int) (crc.getValue() % COUNT);
	}

}
