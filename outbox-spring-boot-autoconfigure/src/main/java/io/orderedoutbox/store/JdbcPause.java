package io.orderedoutbox.store;

import java.time.Duration;

import io.orderedoutbox.OutboxConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.BadSqlGrammarException;

import static io.orderedoutbox.store.BacklogStatements.SELECT;
import static io.orderedoutbox.store.OutboxStatements.NOW;

/**
 * Whether the relays of all instances are paused, in a table of the outbox, which may be
 * missing: then they are not.
 */
public final class JdbcPause {

	private static final Logger logger = LoggerFactory.getLogger(JdbcPause.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final OutboxDatabase database;

	private final String table;

	private final String count;

	private final String pause;

	private final String resume;

	/**
	 * Create it.
	 * @param database the database of the outbox
	 */
	public JdbcPause(OutboxDatabase database) {
		this.database = database;
		this.table = database.tablePrefix() + "pause";
		this.count = SELECT + "COUNT(*) FROM %s WHERE id = 1".formatted(this.table);
		this.pause = "INSERT INTO %s (id, paused_at) VALUES (1, %s) ON DUPLICATE KEY UPDATE id = 1"
			.formatted(this.table, NOW);
		this.resume = "DELETE FROM %s WHERE id = 1".formatted(this.table);
	}

	/**
	 * Return whether they are paused.
	 * @return whether they are, or should soon be
	 */
	public boolean isPaused() {
		try {
			return Integer.valueOf(1)
				.equals(this.database.look(PATIENCE, (jdbc) -> jdbc.queryForObject(this.count, Integer.class)));
		}
		catch (BadSqlGrammarException ex) {
			logger.debug("There is no table that says whether all instances are paused", ex);
			return false;
		}
	}

	/**
	 * Say that they are to be paused, or to go on.
	 * @param paused whether they are to be paused
	 * @throws OutboxConfigurationException if there is no table for it
	 */
	public void set(boolean paused) {
		try {
			this.database.look(PATIENCE, (jdbc) -> jdbc.update(paused ? this.pause : this.resume));
		}
		catch (BadSqlGrammarException ex) {
			throw new OutboxConfigurationException(
					"All instances can only be paused with table '%s', which is missing.".formatted(this.table),
					"Create it with the script of the outbox, or pause each instance.", ex);
		}
	}

}
