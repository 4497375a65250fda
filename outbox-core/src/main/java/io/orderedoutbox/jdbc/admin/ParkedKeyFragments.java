package io.orderedoutbox.jdbc.admin;

import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageSelection.By;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.Partitions;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;
import static io.orderedoutbox.jdbc.SqlFragments.NEVER;
import static io.orderedoutbox.jdbc.SqlFragments.NOW;

/**
 * What the statements about messages that are stuck have in common, with the aliases
 * {@code k} for the parked keys and {@code m} for the messages.
 * <p>
 * A message is stuck if it is the first in the lane of a parked key, and either has
 * failed or waits in a lane that is not due. The second is rare: one behind it has failed
 * before it was answered itself, or the one that had failed was deleted by hand. A lane
 * that is due and whose first message has not failed is being emptied. A key that waits
 * for the time of its first message is not stuck, and is not even looked at where all
 * parked keys are: there may be many of them.
 */
final class ParkedKeyFragments {

	static final String STUCK = "(NOT k.is_delayed AND (m.failed_at IS NOT NULL OR k.available_at > %s))"
		.formatted(NOW);

	static final String BLOCKED = "(k.available_at >= %s)".formatted(NEVER);

	/** Since when a message is stuck. */
	static final String SINCE = "COALESCE(m.failed_at, m.available_at)";

	private ParkedKeyFragments() {
	}

	/**
	 * Whether all that is selected is of one key whose order is kept: such a key is
	 * parked once at most.
	 */
	static boolean isOfOneKey(MessageSelection selection, boolean ordered) {
		return ordered && selection.by() == By.PARTITION_KEY && !selection.value().isEmpty();
	}

	/**
	 * The first messages in the lanes of all parked keys, or of those alone that can be
	 * selected.
	 */
	static String heads(OutboxDatabase database, boolean ordered, MessageSelection selection) {
		String prefix = database.tablePrefix();
		String parkedKeys = isOfOneKey(selection, ordered) ? ofKey(database, selection.value())
				: "%s k %s".formatted(prefix + "parked", byDelay(prefix));
		return parkedKeys + " " + joinHead(prefix);
	}

	/**
	 * Makes a statement that looks for keys by {@code is_delayed = FALSE} find them by
	 * their lanes.
	 */
	static String byDelay(String prefix) {
		return "FORCE INDEX (%sparked_delayed)".formatted(prefix);
	}

	/**
	 * The first of the parked keys that are not delayed, which are those that have been
	 * parked for longest; a limit is bound.
	 * @param columns what is read of each
	 */
	static String first(String prefix, String columns) {
		return "(SELECT %s FROM %sparked %s WHERE is_delayed = FALSE AND lane < 0 ORDER BY lane DESC LIMIT ?)"
			.formatted(columns, prefix, byDelay(prefix));
	}

	/**
	 * The parked keys that have the hash of a key. In any partition: before order was
	 * switched on a message of the key went to any.
	 */
	static String ofKey(OutboxDatabase database, String partitionKey) {
		List<Integer> partitions = IntStream.range(0, database.partitions().count()).boxed().toList();
		return "%s STRAIGHT_JOIN %2$sparked k FORCE INDEX (%2$sparked_key) ON k.partition_id = w.id AND k.key_hash = %3$d"
			.formatted(IDS.replace("?", "'" + partitions + "'"), database.tablePrefix(), Partitions.hash(partitionKey));
	}

	/**
	 * The position of the first message in a lane. Sorted by both columns, or MySQL reads
	 * all of the lane and sorts it.
	 */
	static String head(String prefix, String lane) {
		return "(SELECT e.id FROM %smessage e %s WHERE e.lane = %s ORDER BY e.lane, e.id LIMIT 1)".formatted(prefix,
				BY_ID, lane);
	}

	/**
	 * Joins the first message in the lane of each parked key.
	 */
	static String joinHead(String prefix) {
		return "STRAIGHT_JOIN %smessage m %s ON m.lane = k.lane AND m.id = %s".formatted(prefix, BY_ID,
				head(prefix, "k.lane"));
	}

}
