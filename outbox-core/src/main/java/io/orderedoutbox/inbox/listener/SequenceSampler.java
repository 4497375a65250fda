/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.orderedoutbox.inbox.ParkingTime;
import io.orderedoutbox.inbox.Sampler;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a sample of which dead letters are followed by others, for metrics, endpoint and
 * page, which do not ask the database unless they are asked about a range of time.
 * <p>
 * Guaranteed: what {@link #current} returns was true within the last two intervals and a
 * few seconds. While the database does not answer there is no sample, rather than an old
 * one. Only the thread of the sampler waits for the database. A look is one statement for
 * each name of shards, which reads an index and ends after 10,000 rows.
 */
public final class SequenceSampler extends Sampler<Map<String, SequenceFigures>> {

	private static final Logger logger = LoggerFactory.getLogger(SequenceSampler.class);

	private static final Duration TIME_TO_LOOK = Duration.ofSeconds(5);

	private final List<String> shards;

	private final Supplier<List<ShardListenerContainerFactory>> listeners;

	/**
	 * Create a sampler.
	 * @param shards the queues whose dead letters it looks for
	 * @param listeners the container factories of the listeners of this application
	 * @param interval the pause between two looks, zero for no look at all
	 */
	public SequenceSampler(List<ShardQueues> shards, Supplier<List<ShardListenerContainerFactory>> listeners,
			Duration interval) {
		super("outbox-inbox-sequences", interval, TIME_TO_LOOK);
		this.shards = shards.stream().map(ShardQueues::name).distinct().toList();
		this.listeners = listeners;
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
		Map<String, SequenceFigures> current = latest();
		return (current != null) ? current.get(name) : null;
	}

	/**
	 * Ask the database about the keys that were parked in a range of time, and wait for
	 * it.
	 * @param name the name of the shards
	 * @param time when the keys were parked
	 * @return the figures, or {@code null} if no message follows a dead letter
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 * @throws org.springframework.transaction.TransactionException if the database does
	 * not answer
	 */
	public @Nullable SequenceFigures ask(String name, ParkingTime time) {
		DeadLetterSequences sequences = sequences();
		return (sequences != null) ? sequences.figures(name, time) : null;
	}

	@Override
	protected @Nullable Map<String, SequenceFigures> look() {
		DeadLetterSequences sequences = sequences();
		return (sequences != null) ? this.shards.stream().collect(Collectors.toMap((name) -> name, sequences::figures))
				: null;
	}

	@Override
	protected boolean isNeeded() {
		return !this.shards.isEmpty() && hasSequences();
	}

	@Override
	protected void tellThatItWorks() {
		logger.atInfo().addKeyValue("state", "works").log("The keys with dead letters can be seen again");
	}

	@Override
	protected void tellThatItFails(String error) {
		logger.atWarn()
			.addKeyValue("state", "fails")
			.addKeyValue("error", error)
			.log("The keys with dead letters cannot be seen, and are unknown until they can: {}", error);
	}

}
