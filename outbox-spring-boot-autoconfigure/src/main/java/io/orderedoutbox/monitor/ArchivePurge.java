package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.store.JdbcArchive;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Removes now and then what has been in the archive for long enough, on every instance
 * that keeps one: whichever comes first does it, and others that come at the same time
 * help. It goes on when the database was away. Nothing depends on it but the size of the
 * table.
 */
public final class ArchivePurge implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ArchivePurge.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	private final JdbcArchive archive;

	private final Duration retention;

	private final Repetition repetition;

	private boolean failing;

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
		this.archive = archive;
		this.retention = retention;
		this.repetition = new Repetition("outbox-archive-purge", Duration.ZERO, interval, this::purge, () -> {
		});
	}

	private void purge() {
		try {
			long removed = this.archive.purge(this.retention, this::isRunning);
			logger.debug("{} message(s) were removed from table {}", removed, this.archive.table());
			succeeded();
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	private void succeeded() {
		if (this.failing) {
			logger.atInfo()
				.addKeyValue("state", "works")
				.addKeyValue("table", this.archive.table())
				.log("What is old is removed from table {} again", this.archive.table());
			this.failing = false;
		}
	}

	private void failed(RuntimeException ex) {
		if (!this.failing && isRunning()) {
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("table", this.archive.table())
				.addKeyValue("error", ex.toString())
				.log("What is old cannot be removed from table {}, which grows until it can. The relay works all "
						+ "the same: {}", this.archive.table(), ex.toString());
			this.failing = true;
		}
		logger.debug("The cause", ex);
	}

	@Override
	public void start() {
		this.repetition.start();
	}

	@Override
	public void stop() {
		this.repetition.stop();
	}

	@Override
	public boolean isRunning() {
		return this.repetition.isRunning();
	}

	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE;
	}

}
