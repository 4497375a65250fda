/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Set;

import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;

/**
 * {@link OutboxStore} that remembers what was committed.
 */
final class RecordingOutboxStore implements OutboxStore {

	private final OutboxStore store;

	private final MessageRecorder recorder;

	RecordingOutboxStore(OutboxStore store, MessageRecorder recorder) {
		this.store = store;
		this.recorder = recorder;
	}

	@Override
	public Set<Integer> append(List<Message> messages) {
		Set<Integer> partitions = this.store.append(messages);
		AfterCommit.run(() -> this.recorder.committed(messages));
		return partitions;
	}

	@Override
	public void mark() {
		this.store.mark();
	}

	@Override
	public void requireMark() {
		this.store.requireMark();
	}

}
