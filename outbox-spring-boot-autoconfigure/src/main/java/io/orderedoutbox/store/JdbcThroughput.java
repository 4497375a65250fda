package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.BadSqlGrammarException;

import static io.orderedoutbox.store.BacklogStatements.SELECT;

/**
 * What all instances have published in each of the last sixty minutes, in a table of the
 * outbox, which may be missing. Minutes are those of the database.
 */
public final class JdbcThroughput {

	/**
	 * How many minutes are kept.
	 */
	public static final int MINUTES = 60;

	private static final Logger logger = LoggerFactory.getLogger(JdbcThroughput.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private static final String MINUTE = "TIMESTAMPADD(SECOND, -SECOND(UTC_TIMESTAMP()), UTC_TIMESTAMP())";

	private static final String BEFORE = "TIMESTAMPADD(MINUTE, -%d, %s)".formatted(MINUTES, MINUTE);

	private final OutboxDatabase database;

	private final String table;

	private final String add;

	private final String list;

	private final String removeOld;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcThroughput(OutboxDatabase database) {
		this.database = database;
		this.table = database.tablePrefix() + "throughput";
		this.add = "INSERT INTO %s (minute, published) VALUES (%s, ?) ON DUPLICATE KEY UPDATE published = published + ?"
			.formatted(this.table, MINUTE);
		this.list = SELECT + "TIMESTAMPDIFF(MINUTE, t.minute, %s) AS ago, t.published FROM %s t WHERE t.minute > %s"
			.formatted(MINUTE, this.table, BEFORE);
		this.removeOld = "DELETE FROM %s WHERE minute <= %s".formatted(this.table, BEFORE);
	}

	/**
	 * Return the name of the table.
	 * @return the name
	 */
	public String table() {
		return this.table;
	}

	/**
	 * Add to the current minute, in one statement.
	 * @param published how many messages were published
	 * @return whether there is a table for it
	 */
	public boolean add(long published) {
		try {
			this.database.update(PATIENCE, this.add, published, published);
			return true;
		}
		catch (BadSqlGrammarException ex) {
			logger.debug("There is no table of what was published", ex);
			return false;
		}
	}

	/**
	 * Return what was published in each minute.
	 * @return {@value #MINUTES} numbers, the current minute last, or {@code null} if
	 * there is no table for them
	 */
	public @Nullable List<Long> lastHour() {
		List<Long> hour = new ArrayList<>(Collections.nCopies(MINUTES, 0L));
		try {
			this.database.look(PATIENCE, (jdbc) -> jdbc.query(this.list, (rs, index) -> {
				int minute = MINUTES - 1 - rs.getInt("ago");
				return hour.set(Math.min(Math.max(minute, 0), MINUTES - 1), rs.getLong("published"));
			}));
			return hour;
		}
		catch (BadSqlGrammarException ex) {
			logger.debug("There is no table of what was published", ex);
			return null;
		}
	}

	/**
	 * Remove what is older.
	 */
	public void removeOld() {
		this.database.update(PATIENCE, this.removeOld);
	}

}
