/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.store.Message;
import org.jspecify.annotations.Nullable;

/**
 * What has happened since the test method began, on any thread.
 */
final class MessageRecorder {

	private final Map<UUID, Object> events = new HashMap<>();

	private final List<Message> committed = new ArrayList<>();

	private final List<Message> arrived = new ArrayList<>();

	/**
	 * An event was published, and may still be rolled back.
	 */
	synchronized void published(UUID messageId, Object event) {
		this.events.put(messageId, event);
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
	 * The event of a message, {@code null} if it was not published in this test.
	 */
	synchronized @Nullable Object event(UUID messageId) {
		return this.events.get(messageId);
	}

	synchronized List<Message> committed() {
		return List.copyOf(this.committed);
	}

	synchronized List<Message> arrived() {
		return List.copyOf(this.arrived);
	}

	synchronized void clear() {
		this.events.clear();
		this.committed.clear();
		this.arrived.clear();
	}

}
