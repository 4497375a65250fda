package io.orderedoutbox.store;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A statement as a relay or a publisher calls it.
 *
 * @param statement its name
 * @param sql what it says
 * @param rows how many rows it asks for
 * @param arguments its parameters
 */
record Call(String statement, String sql, int rows, Object... arguments) {

	private static final int BATCH = 1_000;

	private static final int WINDOW = 4 * BATCH;

	private static final int PUBLISHED = 20;

	private static final int KEYS = 64;

	/**
	 * Every statement, as many rows as the default settings ask for.
	 */
	static List<Call> ofARelay(LargeOutbox outbox) {
		OutboxStatements statements = outbox.tables().statements();
		List<Long> oldest = outbox.positions("SELECT id FROM outbox_message ORDER BY id LIMIT " + WINDOW);
		long last = oldest.get(WINDOW - 1);
		long middle = outbox.positions("SELECT MAX(id) DIV 2 FROM outbox_message").get(0);
		String ids = oldest.subList(0, BATCH).toString();
		String heads = outbox
			.positions("SELECT MIN(id) FROM outbox_message WHERE partition_key > '' GROUP BY partition_key")
			.toString();
		List<Long> ofAKey = outbox.positions("SELECT id FROM outbox_message WHERE partition_key = 'key-5' ORDER BY id");
		List<Long> failed = outbox.positions("SELECT id FROM outbox_failed ORDER BY id LIMIT 500");
		return List.of(
				new Call("lockStripes", statements.lockStripes, BATCH,
						IntStream.range(0, BATCH).boxed().toList().toString()),
				new Call("insert", statements.insert(PUBLISHED), PUBLISHED, newMessages().toArray()),
				new Call("look", statements.look, WINDOW, 0, Long.MAX_VALUE, WINDOW),
				new Call("look", statements.look, WINDOW, middle, Long.MAX_VALUE, WINDOW),
				new Call("look", statements.look, WINDOW, 0, last, Integer.MAX_VALUE),
				new Call("lookAt", statements.lookAt(KEYS), KEYS, keysAndRange(Long.MAX_VALUE, KEYS)),
				new Call("lookAmong", statements.lookAmong(KEYS), BATCH, keysAndRange(oldest.get(BATCH - 1), BATCH)),
				new Call("newest", statements.newest, 1),
				new Call("lookForHeads", statements.lookForHeads, BATCH, "", BATCH),
				new Call("lookForHeads", statements.lookForHeads, 100, "key-5", 100),
				new Call("lookForKeyless", statements.lookForKeyless, BATCH, 0, BATCH),
				new Call("lookForKeyless", statements.lookForKeyless, BATCH, middle, BATCH),
				new Call("lock", statements.lock, BATCH, heads, BATCH),
				new Call("lockAndLoad", statements.lockAndLoad, BATCH, heads, BATCH),
				new Call("verify", statements.verify, BATCH, heads),
				new Call("load", statements.load, BATCH, ids, BATCH), new Call("delete", statements.delete, BATCH, ids),
				new Call("isUntouched", statements.isUntouched, ofAKey.size(), "key-5", ofAKey.get(0),
						ofAKey.get(ofAKey.size() - 1), ofAKey.size(), ofAKey.get(1), ofAKey.get(ofAKey.size() - 1)),
				new Call("fail", statements.fail, failed.size(), failures(failed)),
				new Call("enlist", statements.enlist, BATCH, ids),
				new Call("strike", statements.strike, failed.size(), failed.toString()),
				new Call("bury", statements.bury, BATCH, ids), new Call("archive", statements.archive, BATCH, ids));
	}

	private static Object[] keysAndRange(long last, int limit) {
		return Stream.concat(IntStream.range(0, KEYS).mapToObj((key) -> "key-" + key), Stream.of(0L, last, limit))
			.toArray();
	}

	private static Stream<Object> newMessages() {
		return IntStream.range(0, PUBLISHED)
			.boxed()
			.flatMap((row) -> Stream.of("01a1f9e6-108b-7474-9246-6dc61b7dc692", "order.placed", "key-" + row, "",
					"nowhere", "text/plain", "eA==", "{}"));
	}

	private static String failures(List<Long> ids) {
		return ids.stream()
			.map("{\"id\": %d, \"attempt\": 1, \"delay\": 1000, \"error\": \"returned\"}"::formatted)
			.collect(Collectors.joining(", ", "[", "]"));
	}

}
