package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.BackgroundWork;
import io.orderedoutbox.inbox.LatestSample;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps a sample of which dead letters are followed by others, for metrics, endpoint and
 * page, which do not ask the database.
 * <p>
 * Guaranteed: what {@link #current} returns was true within the last two intervals and a
 * few seconds. While the database does not answer there is no sample, rather than an old
 * one. Only the thread of the sampler waits for the database. A look is one statement for
 * each name of shards, which reads an index and ends after 10,000 rows.
 */
public final class SequenceSampler implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(SequenceSampler.class);

	private static final Duration TIME_TO_LOOK = Duration.ofSeconds(5);

	private final List<String> shards;

	private final Supplier<List<ShardListenerContainerFactory>> listeners;

	private final Duration interval;

	private final BackgroundWork work;

	private final LatestSample<Map<String, SequenceFigures>> latest;

	private boolean failing;

	/**
	 * Create a sampler.
	 * @param shards the queues whose dead letters it looks for
	 * @param listeners the container factories of the listeners of this application
	 * @param interval the pause between two looks, zero for no look at all
	 */
	public SequenceSampler(List<ShardQueues> shards, Supplier<List<ShardListenerContainerFactory>> listeners,
			Duration interval) {
		this.shards = shards.stream().map(ShardQueues::name).distinct().toList();
		this.listeners = listeners;
		this.interval = interval;
		this.work = new BackgroundWork("outbox-inbox-sequences", interval, this::sample, this::forget);
		this.latest = new LatestSample<>(interval, TIME_TO_LOOK);
	}

	/**
	 * Return whether any listener in this instance has dead letters that others follow.
	 * @return whether there is something to look for
	 */
	public boolean hasSequences() {
		return sequences() != null;
	}

	private @Nullable DeadLetterSequences sequences() {
		return ShardListenerContainerFactory.sequencesOf(this.listeners.get());
	}

	/**
	 * Return what the database has said last.
	 * @param name the name of the shards
	 * @return the figures, or {@code null} if there are none that are young enough
	 */
	public @Nullable SequenceFigures current(String name) {
		Map<String, SequenceFigures> current = this.latest.current();
		return (current != null) ? current.get(name) : null;
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
		DeadLetterSequences sequences = sequences();
		if (sequences == null) {
			return;
		}
		long now = System.nanoTime();
		try {
			Map<String, SequenceFigures> seen = new HashMap<>();
			this.shards.forEach((name) -> seen.put(name, sequences.figures(name)));
			this.latest.set(seen, now);
			tellThatItWorks();
		}
		catch (RuntimeException | Error ex) {
			forget();
			tell(ex);
		}
	}

	private void forget() {
		this.latest.forget();
	}

	private void tellThatItWorks() {
		if (this.failing) {
			this.failing = false;
			logger.atInfo().addKeyValue("state", "works").log("The keys with dead letters can be seen again");
		}
	}

	// Once, until it works again
	private void tell(Throwable ex) {
		logger.debug("The keys with dead letters could not be seen", ex);
		if (isRunning() && !this.failing) {
			this.failing = true;
			String error = ex.toString();
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("error", error)
				.log("The keys with dead letters cannot be seen, and are unknown until they can: {}", error);
		}
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
		return !this.interval.isZero() && !this.shards.isEmpty() && hasSequences();
	}

}
