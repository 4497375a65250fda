/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.inbox.Sampler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a sample of what the broker says of the queues of shards and of their dead
 * letters, for metrics, health, endpoint and page, which do not ask the broker.
 * <p>
 * Guaranteed: what {@link #current()} returns was true within the last two intervals and
 * a few seconds. While the broker does not answer there is no sample, rather than an old
 * one. Only the thread of the sampler waits for the broker.
 */
public final class ShardSampler extends Sampler<List<ShardStatus>> {

	private static final Logger logger = LoggerFactory.getLogger(ShardSampler.class);

	private static final Duration TIME_TO_READ = Duration.ofSeconds(15);

	private final ShardReader reader;

	private final Runnable disconnection;

	/**
	 * Create a sampler.
	 * @param reader asks the broker
	 * @param interval the pause between two looks, zero for no look at all
	 * @param disconnection closes the connection; run after a failure, and at the end.
	 * The next look connects again
	 */
	public ShardSampler(ShardReader reader, Duration interval, Runnable disconnection) {
		super("outbox-inbox-sample", interval, TIME_TO_READ);
		this.reader = reader;
		this.disconnection = disconnection;
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
		List<ShardStatus> seen = latest();
		return (seen != null) ? seen.subList(0, queues().size()) : null;
	}

	/**
	 * Return what the broker has said last of one queue: of the shards, or of dead
	 * letters.
	 * @param queue the name of the queue
	 * @return its status, or {@code null} if it is not known
	 */
	public @Nullable ShardStatus status(String queue) {
		List<ShardStatus> seen = latest();
		return (seen != null) ? seen.stream().filter((status) -> status.queue().equals(queue)).findFirst().orElse(null)
				: null;
	}

	@Override
	protected List<ShardStatus> look() {
		return this.reader.read();
	}

	@Override
	protected boolean isNeeded() {
		return !queues().isEmpty();
	}

	// An answer that comes late would be taken for that to the next question
	@Override
	protected void failed() {
		this.reader.forget();
		this.disconnection.run();
	}

	@Override
	protected void ended() {
		this.disconnection.run();
	}

	@Override
	protected void tellThatItWorks() {
		logger.atInfo().addKeyValue("state", "works").log("The queues of the shards can be seen again");
	}

	@Override
	protected void tellThatItFails(String error) {
		logger.atWarn()
			.addKeyValue("state", "fails")
			.addKeyValue("error", error)
			.log("The queues of the shards cannot be seen, and what waits there is unknown until they can: {}", error);
	}

}
