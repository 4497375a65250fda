/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.time.Duration;
import java.util.Map;

import io.orderedoutbox.inbox.InboxCounts;
import io.orderedoutbox.inbox.InboxPurge;
import org.jspecify.annotations.Nullable;

/**
 * What metrics, health, endpoint and page have in common: what this instance knows of the
 * inbox and of the queues of shards. Whoever asks waits neither for the broker nor for
 * the database; whoever acts waits for both.
 */
public final class InboxConsole {

	private final InboxCounts counts;

	private final ShardConsole shards;

	private final DeadLetterConsole deadLetters;

	private final @Nullable InboxPurge purge;

	private final Map<String, String> settings;

	/**
	 * Create a console.
	 * @param counts knows what has become of messages
	 * @param shards knows the queues of shards
	 * @param deadLetters knows their dead letters
	 * @param purge removes old records, {@code null} if there is no inbox
	 * @param settings the properties that are in effect
	 */
	public InboxConsole(InboxCounts counts, ShardConsole shards, DeadLetterConsole deadLetters,
			@Nullable InboxPurge purge, Map<String, String> settings) {
		this.counts = counts;
		this.shards = shards;
		this.deadLetters = deadLetters;
		this.purge = purge;
		this.settings = settings;
	}

	/**
	 * Return all that is known.
	 * @return the inbox at a glance
	 */
	public InboxDescriptor overview() {
		Duration age = this.shards.age();
		return new InboxDescriptor(this.counts.consumers().stream().map(ConsumerDescriptor::of).toList(),
				this.shards.overview(), this.deadLetters.overview(), (age != null) ? age.toMillis() : null,
				(this.purge != null) ? this.purge.failingSince() : null, this.settings);
	}

	/**
	 * Whether there is an inbox, and not queues of shards alone.
	 */
	boolean hasInbox() {
		return this.purge != null;
	}

	ShardConsole shards() {
		return this.shards;
	}

	DeadLetterConsole deadLetters() {
		return this.deadLetters;
	}

	/**
	 * Return the dead letters of the keys that were parked in a range of time. Waits for
	 * the database if there is such a range.
	 * @param from since when, as a request says it
	 * @param until before when
	 * @return a {@link DeadLetterDescriptor} for each name of shards, or the problem
	 */
	public VerbAnswer deadLetters(@Nullable String from, @Nullable String until) {
		return this.deadLetters.overview(from, until);
	}

	/**
	 * Replay dead letters, or discard one.
	 * @param verb what to do
	 * @param shards whose dead letters are meant
	 * @param id of discard: the message id
	 * @return what was done, or the problem
	 */
	public VerbAnswer act(String verb, @Nullable String shards, @Nullable String id) {
		return this.deadLetters.act(verb, shards, id);
	}

}
