package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.inbox.BackgroundWork;
import io.orderedoutbox.inbox.LatestSample;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps a sample of what the broker says of the queues of shards and of their dead
 * letters, for metrics, health, endpoint and page, which do not ask the broker.
 * <p>
 * Guaranteed: what {@link #current()} returns was true within the last two intervals and
 * a few seconds. While the broker does not answer there is no sample, rather than an old
 * one. Only the thread of the sampler waits for the broker.
 */
public final class ShardSampler implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ShardSampler.class);

	private static final Duration TIME_TO_READ = Duration.ofSeconds(15);

	private final ShardReader reader;

	private final Duration interval;

	private final Runnable disconnection;

	private final BackgroundWork work;

	private final LatestSample<List<ShardStatus>> latest;

	private boolean failing;

	/**
	 * Create a sampler.
	 * @param reader asks the broker
	 * @param interval the pause between two looks, zero for no look at all
	 * @param disconnection closes the connection; run after a failure, and at the end.
	 * The next look connects again
	 */
	public ShardSampler(ShardReader reader, Duration interval, Runnable disconnection) {
		this.reader = reader;
		this.interval = interval;
		this.disconnection = disconnection;
		this.work = new BackgroundWork("outbox-inbox-sample", interval, this::sample, this::end);
		this.latest = new LatestSample<>(interval, TIME_TO_READ);
	}

	/**
	 * Return the queues of shards that the sampler looks at.
	 * @return their names
	 */
	public List<String> queues() {
		return this.reader.queues();
	}

	/**
	 * Return what the broker has said last.
	 * @return one entry for each queue, or {@code null} if there is no sample that is
	 * young enough
	 */
	public @Nullable List<ShardStatus> current() {
		List<ShardStatus> seen = this.latest.current();
		return (seen != null) ? seen.subList(0, queues().size()) : null;
	}

	/**
	 * Return what the broker has said last of one queue: of the shards, or of dead
	 * letters.
	 * @param queue the name of the queue
	 * @return its status, or {@code null} if it is not known
	 */
	public @Nullable ShardStatus status(String queue) {
		List<ShardStatus> seen = this.latest.current();
		return (seen != null) ? seen.stream().filter((status) -> status.queue().equals(queue)).findFirst().orElse(null)
				: null;
	}

	/**
	 * Return how long ago that was.
	 * @return the age of the sample, or {@code null} if there is none that is young
	 * enough
	 */
	public @Nullable Duration age() {
		return this.latest.age();
	}

	private void sample() {
		long now = System.nanoTime();
		try {
			this.latest.set(this.reader.read(), now);
			tellThatItWorks();
		}
		catch (RuntimeException | Error ex) {
			this.latest.forget();
			this.reader.forget();
			// An answer that comes late would be taken for that to the next question
			this.disconnection.run();
			tell(ex);
		}
	}

	private void tellThatItWorks() {
		if (this.failing) {
			this.failing = false;
			logger.atInfo().addKeyValue("state", "works").log("The queues of the shards can be seen again");
		}
	}

	// Once, until it works again
	private void tell(Throwable ex) {
		logger.debug("The queues of the shards could not be seen", ex);
		if (isRunning() && !this.failing) {
			this.failing = true;
			String error = ex.toString();
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("error", error)
				.log("The queues of the shards cannot be seen, and what waits there is unknown until they can: {}",
						error);
		}
	}

	private void end() {
		this.latest.forget();
		this.disconnection.run();
	}

	// Spring also starts what does not start by itself, if the context is started again
	@Override
	public void start() {
		if (isAutoStartup()) {
			this.work.start();
		}
	}

	@Override
	public void stop() {
		this.work.stop();
	}

	@Override
	public boolean isRunning() {
		return this.work.isRunning();
	}

	@Override
	public boolean isAutoStartup() {
		return !this.interval.isZero() && !queues().isEmpty();
	}

}
