package io.orderedoutbox.jdbc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import static io.orderedoutbox.jdbc.SqlFragments.LOOK;

/**
 * What all instances have published in each of the last sixty minutes, in a table of the
 * outbox, which may be missing. Minutes are those of the database.
 */
public final class JdbcThroughput {

	/**
	 * How many minutes are kept.
	 */
	public static final int MINUTES = 60;

	private static final String MINUTE = "TIMESTAMPADD(SECOND, -SECOND(UTC_TIMESTAMP()), UTC_TIMESTAMP())";

	private static final String BEFORE = "TIMESTAMPADD(MINUTE, -%d, %s)".formatted(MINUTES, MINUTE);

	private final OptionalTable table;

	private final String add;

	private final String list;

	private final String removeOld;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcThroughput(OutboxDatabase database) {
		this.table = new OptionalTable(database, "throughput");
		this.add = "INSERT INTO %s (minute, published) VALUES (%s, ?) ON DUPLICATE KEY UPDATE published = published + ?"
			.formatted(this.table.name(), MINUTE);
		this.list = LOOK + "TIMESTAMPDIFF(MINUTE, t.minute, %s) AS ago, t.published FROM %s t WHERE t.minute > %s"
			.formatted(MINUTE, this.table.name(), BEFORE);
		this.removeOld = "DELETE FROM %s WHERE minute <= %s".formatted(this.table.name(), BEFORE);
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table.name();
	}

	/**
	 * Add to the current minute, in one statement.
	 * @param published how many messages were published
	 * @return whether there is a table for it
	 */
	public boolean add(long published) {
		return this.table.update(this.add, published, published);
	}

	/**
	 * Return what was published in each minute.
	 * @return {@value #MINUTES} numbers, the current minute last, or {@code null} if
	 * there is no table for them
	 */
	public @Nullable List<Long> lastHour() {
		List<Long> hour = new ArrayList<>(Collections.nCopies(MINUTES, 0L));
		List<Long> found = this.table.read((jdbc) -> jdbc.query(this.list, (rs, index) -> {
			int minute = MINUTES - 1 - rs.getInt("ago");
			return hour.set(Math.min(Math.max(minute, 0), MINUTES - 1), rs.getLong("published"));
		}));
		return (found != null) ? hour : null;
	}

	/**
	 * Remove what is older, if there is a table.
	 */
	public void removeOld() {
		this.table.update(this.removeOld);
	}

}
