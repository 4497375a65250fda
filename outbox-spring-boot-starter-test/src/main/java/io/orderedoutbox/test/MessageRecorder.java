/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.Message;
import org.jspecify.annotations.Nullable;

/**
 * What has happened since the test method began, on any thread.
 */
final class MessageRecorder {

	private final Map<UUID, List<Publication>> publications = new HashMap<>();

	private final List<Message> committed = new ArrayList<>();

	private final List<Message> arrived = new ArrayList<>();

	private final Map<Fate, List<Message>> failed = new EnumMap<>(Fate.class);

	/**
	 * An event was published, and may still be rolled back.
	 */
	synchronized void published(UUID messageId, @Nullable Message message, Object event) {
		this.publications.computeIfAbsent(messageId, (absent) -> new ArrayList<>())
			.add(new Publication(message, event));
	}

	/**
	 * A transaction has committed messages.
	 */
	synchronized void committed(List<Message> messages) {
		this.committed.addAll(messages);
	}

	/**
	 * A message has arrived at the broker.
	 */
	synchronized void arrived(Message message) {
		this.arrived.add(message);
	}

	/**
	 * A message was not sent.
	 */
	synchronized void failed(Message message, Fate fate) {
		this.failed.computeIfAbsent(fate, (absent) -> new ArrayList<>()).add(message);
	}

	/**
	 * What was published under an id in this test: an application that chooses its ids
	 * can do that more than once.
	 */
	synchronized List<Publication> publications(UUID messageId) {
		return List.copyOf(this.publications.getOrDefault(messageId, List.of()));
	}

	synchronized List<Message> committed() {
		return List.copyOf(this.committed);
	}

	synchronized List<Message> arrived() {
		return List.copyOf(this.arrived);
	}

	synchronized List<Message> failed(Fate fate) {
		return List.copyOf(this.failed.getOrDefault(fate, List.of()));
	}

	synchronized void clear() {
		this.publications.clear();
		this.committed.clear();
		this.arrived.clear();
		this.failed.clear();
	}

	/**
	 * An event that was published.
	 *
	 * @param message what was made of it, {@code null} if that is not known
	 * @param event the event
	 */
	record Publication(@Nullable Message message, Object event) {

	}

}
