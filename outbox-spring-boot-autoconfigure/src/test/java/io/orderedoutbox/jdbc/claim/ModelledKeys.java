/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * What must be in the outbox, as one knows who has seen all commits, and what may be
 * claimed of it. A key is that of a partition, or of one message that is bound to no
 * order.
 */
final class ModelledKeys {

	private final boolean ordered;

	/** What is left of each key, in the order of the commits. */
	private final Map<String, List<UUID>> left = new LinkedHashMap<>();

	private final Map<UUID, Integer> attempts = new HashMap<>();

	/** The keys that are not due. */
	private final Set<String> waiting = new HashSet<>();

	/** The messages whose time has not come. */
	private final Set<UUID> delayed = new HashSet<>();

	/** The keys that are in a claim. */
	private final Set<String> claimed = new HashSet<>();

	/** The keys that are in a claim that is suspended, by instance. */
	private final Map<String, Set<String>> suspended = new HashMap<>();

	private final Set<UUID> dead = new HashSet<>();

	private final Set<UUID> archived = new HashSet<>();

	ModelledKeys(boolean ordered) {
		this.ordered = ordered;
	}

	String key(Message message) {
		boolean bound = this.ordered && !message.partitionKey().isEmpty();
		return bound ? message.partitionKey() : message.messageId().toString();
	}

	/**
	 * The key of a message that is left.
	 */
	String keyOf(UUID messageId) {
		return this.left.entrySet()
			.stream()
			.filter((key) -> key.getValue().contains(messageId))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElseThrow(() -> new AssertionError("Message " + brief(messageId) + " should be gone"));
	}

	void committed(List<Message> messages) {
		for (Message message : messages) {
			this.left.computeIfAbsent(key(message), (key) -> new ArrayList<>()).add(message.messageId());
			this.attempts.put(message.messageId(), 0);
			if (!message.delay().isNone()) {
				this.delayed.add(message.messageId());
			}
		}
	}

	/**
	 * An instance has made a claim. All of its sequences must be beginnings of what is
	 * left of keys that are due and in no other claim.
	 */
	void claimed(Claim claim, String instance) {
		for (KeySequence sequence : claim.sequences()) {
			String key = key(sequence.messages().get(0).message());
			List<UUID> ids = ids(sequence);
			List<UUID> known = this.left.getOrDefault(key, List.of());
			if (!ids.equals(known.subList(0, Math.min(ids.size(), known.size())))) {
				throw new AssertionError("Key %s: %s were claimed, but what is left of it is %s".formatted(key,
						ids.stream().map(ModelledKeys::brief).toList(),
						known.stream().map(ModelledKeys::brief).toList()));
			}
			if (ids.stream().anyMatch(this.delayed::contains)) {
				throw new AssertionError("Key " + key + ": a message was claimed before its time");
			}
			if (this.waiting.contains(key)) {
				throw new AssertionError("Key " + key + " was claimed, but it is not due");
			}
			if (this.suspended.getOrDefault(instance, Set.of()).contains(key)) {
				throw new AssertionError("Key " + key + " was claimed beside a claim of the same instance");
			}
			if (!this.claimed.add(key)) {
				throw new AssertionError("Key " + key + " was claimed twice");
			}
			for (StoredMessage message : sequence.messages()) {
				if (message.attempts() != this.attempts.get(message.message().messageId())) {
					throw new AssertionError("Key " + key + ": wrong attempts of " + message);
				}
			}
		}
	}

	private static List<UUID> ids(KeySequence sequence) {
		return sequence.messages().stream().map((message) -> message.message().messageId()).toList();
	}

	static String brief(UUID id) {
		return id.toString().substring(32);
	}

	/**
	 * A claim has ended.
	 */
	void released(Claim claim) {
		claim.sequences().forEach((sequence) -> this.claimed.removeAll(keys(sequence.messages())));
	}

	/**
	 * Other instances may have the keys of a claim, and its own instance those of which
	 * it awaits nothing.
	 */
	void suspended(Claim claim, List<StoredMessage> unanswered, String instance) {
		released(claim);
		this.suspended.computeIfAbsent(instance, (absent) -> new HashSet<>()).addAll(keys(unanswered));
	}

	/**
	 * A claim that was suspended has ended.
	 */
	void resumed(List<StoredMessage> unanswered, String instance) {
		this.suspended.get(instance).removeAll(keys(unanswered));
	}

	private Set<String> keys(Collection<StoredMessage> messages) {
		return messages.stream().map((message) -> key(message.message())).collect(Collectors.toSet());
	}

	/**
	 * A message was published, and is gone.
	 */
	void published(Message message, boolean archive) {
		gone(message);
		if (archive) {
			this.archived.add(message.messageId());
		}
	}

	/**
	 * A message was given up, and is gone.
	 */
	void buried(Message message) {
		gone(message);
		this.dead.add(message.messageId());
	}

	private void gone(Message message) {
		String key = key(message);
		this.left.get(key).remove(message.messageId());
		if (this.left.get(key).isEmpty()) {
			this.left.remove(key);
			this.waiting.remove(key);
		}
	}

	boolean isLeft(Message message) {
		return this.left.getOrDefault(key(message), List.of()).contains(message.messageId());
	}

	void attempted(Message message) {
		this.attempts.merge(message.messageId(), 1, Integer::sum);
	}

	/**
	 * A key has failed.
	 */
	void failed(String key, boolean due) {
		if (due) {
			this.waiting.remove(key);
		}
		else {
			this.waiting.add(key);
		}
	}

	/**
	 * What waits is due.
	 */
	void due(Collection<String> keys) {
		this.waiting.removeAll(keys);
	}

	/**
	 * The time of a message has come.
	 */
	void released(UUID messageId) {
		this.delayed.remove(messageId);
	}

	/**
	 * The time of all messages has come.
	 */
	void allReleased() {
		this.delayed.clear();
	}

	Set<UUID> dead() {
		return this.dead;
	}

	Set<UUID> archived() {
		return this.archived;
	}

	int count() {
		return this.left.values().stream().mapToInt(List::size).sum();
	}

	@Override
	public String toString() {
		Map<String, List<String>> brief = new LinkedHashMap<>();
		this.left.forEach((key, ids) -> brief.put(this.waiting.contains(key) ? key + " (not due)" : key,
				ids.stream().map(ModelledKeys::brief).toList()));
		return brief.toString();
	}

}
