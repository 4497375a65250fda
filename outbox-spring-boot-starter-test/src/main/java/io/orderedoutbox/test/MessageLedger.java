/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.test.PublishedMessage.State;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Puts what was recorded together with what the transaction of the current thread has
 * published.
 */
final class MessageLedger {

	private final MessageRecorder recorder;

	private final ObjectProvider<OutboxTransactionListener> transactions;

	private final ObjectProvider<PayloadTransformers> transformers;

	MessageLedger(MessageRecorder recorder, ObjectProvider<OutboxTransactionListener> transactions,
			ObjectProvider<PayloadTransformers> transformers) {
		this.recorder = recorder;
		this.transactions = transactions;
		this.transformers = transformers;
	}

	/**
	 * What is committed, in the order of the commits, and behind it what is not.
	 */
	List<PublishedMessage> all() {
		Set<UUID> arrived = this.recorder.arrived().stream().map(Message::messageId).collect(Collectors.toSet());
		Stream<PublishedMessage> committed = this.recorder.committed()
			.stream()
			.map((message) -> published(message,
					arrived.contains(message.messageId()) ? State.ARRIVED : State.COMMITTED));
		Stream<PublishedMessage> pending = this.transactions.stream()
			.flatMap((transaction) -> transaction.pending().stream())
			.map((message) -> published(message, State.PENDING));
		return Stream.concat(committed, pending).toList();
	}

	/**
	 * What has arrived, in that order, also what has arrived twice.
	 */
	List<PublishedMessage> arrived() {
		return this.recorder.arrived().stream().map((message) -> published(message, State.ARRIVED)).toList();
	}

	private PublishedMessage published(Message message, State state) {
		return new PublishedMessage(this.recorder.event(message.messageId()), message, body(message), state);
	}

	// The relay undoes what was done last
	private byte[] body(Message message) {
		byte[] body = message.payload();
		for (String header : List.of(EncodedPayload.RELAY_HEADER, EncodedPayload.CONSUMER_HEADER)) {
			Object encodings = message.headers().get(header);
			PayloadTransformers known = this.transformers.getIfAvailable();
			if (encodings != null && known != null && known.know(encodings.toString())) {
				body = known.decode(body, encodings.toString(),
						new PayloadContext(message.messageId().toString(), message.name()));
			}
		}
		return body;
	}

	void clear() {
		this.recorder.clear();
	}

}
