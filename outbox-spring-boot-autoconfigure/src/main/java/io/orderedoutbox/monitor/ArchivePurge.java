package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.jdbc.admin.JdbcArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes now and then what has been in the archive for long enough, on every instance
 * that keeps one: the instance that comes first does it, and others that come at the same
 * time help. The purge goes on when the database was away. Nothing depends on it but the
 * size of the table.
 */
public final class ArchivePurge extends BackgroundTask {

	private static final Logger logger = LoggerFactory.getLogger(ArchivePurge.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final JdbcArchive archive;

	private final Duration retention;

	private final FailureLog failures;

	/**
	 * Create a purge that begins at once, so that the process of a one-shot relay does
	 * its share, and looks again every minute.
	 * @param archive what is purged
	 * @param retention for how long messages are kept
	 */
	public ArchivePurge(JdbcArchive archive, Duration retention) {
		this(archive, retention, INTERVAL);
	}

	ArchivePurge(JdbcArchive archive, Duration retention, Duration interval) {
		super("outbox-archive-purge", Duration.ZERO, interval);
		this.archive = archive;
		this.retention = retention;
		String table = archive.table();
		this.failures = new FailureLog(logger, table,
				"What is old cannot be removed from table " + table
						+ ", which grows until it can. The relay works all the same",
				"What is old is removed from table " + table + " again");
	}

	@Override
	void run() {
		try {
			long removed = this.archive.purge(this.retention, this::isRunning);
			logger.debug("{} message(s) were removed from table {}", removed, this.archive.table());
			this.failures.succeeded();
		}
		catch (RuntimeException ex) {
			logger.debug("What is old could not be removed", ex);
			tell(this.failures, ex.toString());
		}
	}

}
