/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.test.MessageRecorder.Publication;
import io.orderedoutbox.test.PublishedMessage.State;
import org.jspecify.annotations.Nullable;

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
		List<Message> all = this.recorder.committed();
		Stream<PublishedMessage> committed = all.stream().map((message) -> published(message, state(message, all)));
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

	// What is repeated, or was released, may arrive although it has failed before
	private State state(Message message, List<Message> committed) {
		boolean isAlone = committed.stream()
			.filter((other) -> other.messageId().equals(message.messageId()))
			.limit(2)
			.count() == 1;
		Predicate<Message> itself = (other) -> other.messageId().equals(message.messageId())
				&& (isAlone || isSame(other, message));
		if (this.recorder.arrived().stream().anyMatch(itself)) {
			return State.ARRIVED;
		}
		if (this.recorder.failed(Fate.DEAD_LETTER).stream().anyMatch(itself)) {
			return State.DEAD_LETTER;
		}
		return this.recorder.failed(Fate.BLOCKED).stream().anyMatch(itself) ? State.BLOCKED : State.COMMITTED;
	}

	private PublishedMessage published(Message message, State state) {
		return new PublishedMessage(event(message), message, body(message), state);
	}

	// What arrives was read from the store, so that it is another object, and the relay
	// has undone some of what transformers have done to it
	private @Nullable Object event(Message message) {
		List<Publication> publications = this.recorder.publications(message.messageId());
		return publications.stream()
			.filter((publication) -> publication.message() != null && isSame(publication.message(), message))
			.findFirst()
			.or(() -> publications.stream().reduce((earlier, later) -> later))
			.map(Publication::event)
			.orElse(null);
	}

	private boolean isSame(Message one, Message other) {
		return one.name().equals(other.name()) && Arrays.equals(body(one), body(other));
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
