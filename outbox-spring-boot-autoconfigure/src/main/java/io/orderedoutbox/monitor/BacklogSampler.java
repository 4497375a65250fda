package io.orderedoutbox.monitor;

import java.time.Duration;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps a sample of what waits in the outbox, for whoever wants to see it without asking
 * the database.
 * <p>
 * Guaranteed: what {@link #current()} returns was true within the last two intervals and
 * a few seconds. When the database does not answer there is no sample, rather than an old
 * one.
 */
public final class BacklogSampler implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(BacklogSampler.class);

	private static final Duration TIME_TO_READ = Duration.ofSeconds(5);

	private final BacklogReader reader;

	private final Duration interval;

	private volatile @Nullable Sample latest;

	private volatile @Nullable String schemaVersion;

	private volatile boolean versionIsRead;

	private volatile boolean failing;

	private final Repetition repetition;

	/**
	 * Create a sampler.
	 * @param reader looks at the outbox
	 * @param interval how often, zero for never
	 */
	public BacklogSampler(BacklogReader reader, Duration interval) {
		this.reader = reader;
		this.interval = interval;
		this.repetition = new Repetition("outbox-monitor-sample", Duration.ZERO, interval, this::sample,
				() -> this.latest = null);
	}

	/**
	 * Return what waited when the last sample was taken.
	 * @return the sample, or {@code null} if there is none that is young enough
	 */
	public @Nullable Backlog current() {
		Sample sample = this.latest;
		long limit = this.interval.multipliedBy(2).plus(TIME_TO_READ).toNanos();
		return (sample != null && System.nanoTime() - sample.takenAt() <= limit) ? sample.backlog() : null;
	}

	/**
	 * Take a sample now, on this thread.
	 */
	public void sample() {
		long now = System.nanoTime();
		try {
			this.latest = new Sample(this.reader.read(), now);
			readVersion();
			if (this.failing) {
				logger.atInfo().addKeyValue("state", "works").log("The backlog of the outbox can be seen again");
				this.failing = false;
			}
		}
		catch (RuntimeException ex) {
			this.latest = null;
			if (!this.failing && isRunning()) {
				logger.atWarn()
					.addKeyValue("state", "fails")
					.addKeyValue("error", ex.toString())
					.log("The backlog of the outbox cannot be seen, and is unknown until it can: {}", ex.toString());
				this.failing = true;
			}
			logger.debug("The cause", ex);
		}
	}

	private void readVersion() {
		if (!this.versionIsRead) {
			this.schemaVersion = this.reader.schemaVersion();
			this.versionIsRead = true;
		}
	}

	/**
	 * Return which version of the schema the tables have.
	 * @return the version, or {@code null} if it is not known yet, or if the tables do
	 * not tell
	 */
	public @Nullable String schemaVersion() {
		return this.schemaVersion;
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
	public boolean isAutoStartup() {
		return this.repetition.isWanted();
	}

	@Override
	public int getPhase() {
		return OutboxRelay.DEFAULT_PHASE;
	}

	private record Sample(Backlog backlog, long takenAt) {

	}

}
