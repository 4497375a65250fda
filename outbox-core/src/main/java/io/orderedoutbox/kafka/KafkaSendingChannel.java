/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaTemplate;

/**
 * {@link SendingChannel} on the producer of the calling thread.
 * <ol>
 * <li>A record is handed to the producer, which sends it with others to the same
 * partition, in the order of the calls.</li>
 * <li>The producer confirms the record: its message is published. The producer retries by
 * itself whatever may pass, without changing the order, and says nothing meanwhile.</li>
 * <li>The broker refuses the record, or the producer does: its message has failed, alone.
 * Records that were sent after it are not held back; the relay has one message of a key
 * in flight unless keys are pipelined.</li>
 * <li>The record shared a batch with one that was refused: it is sent again, once.</li>
 * <li>The producer has failed: what is known by then is told first, and then that the
 * broker was lost. Who has opened the channel closes the producer, so that nothing leaves
 * later.</li>
 * </ol>
 */
final class KafkaSendingChannel implements SendingChannel {

	private final KafkaTemplate<String, byte[]> template;

	private final UnknownTopics unknownTopics;

	// The producer answers in a thread of its own
	private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

	private final Queue<Outcome> outcomes = new ArrayDeque<>();

	private final Set<Long> sentAgain = new HashSet<>();

	private int inFlight;

	private @Nullable TransportException lost;

	KafkaSendingChannel(KafkaTemplate<String, byte[]> template, UnknownTopics unknownTopics) {
		this.template = template;
		this.unknownTopics = unknownTopics;
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // its outcome comes as an answer
	public void send(StoredMessage message) {
		if (this.lost != null) {
			throw this.lost;
		}
		String topic = message.message().destination().exchange();
		if (this.unknownTopics.contain(topic)) {
			// Nobody has asked the broker: this is no sign that it answers
			this.outcomes.add(Outcome.failed(message.id(), unroutable(topic), FailureReason.UNSENDABLE));
			return;
		}
		this.inFlight++;
		try {
			this.template.send(RecordFormat.record(message))
				.whenComplete((sent, failure) -> this.answers.add(new Answer(message, failure)));
		}
		// What the producer finds out at once, and what it throws
		catch (KafkaException ex) {
			refused(message, (ex.getCause() != null) ? ex.getCause() : ex);
		}
		catch (org.apache.kafka.common.KafkaException ex) {
			refused(message, ex);
		}
		catch (IllegalStateException ex) {
			throw lost(ex);
		}
	}

	private void refused(StoredMessage message, Throwable failure) {
		switch (SendFailure.of(failure)) {
			case NO_TOPIC -> settle(noTopic(message));
			case OF_MESSAGE ->
				settle(Outcome.failed(message.id(), "refused by the client: " + failure, FailureReason.UNSENDABLE));
			case OF_CLOCK -> settle(wrongTime(message, failure));
			case OF_ANOTHER, OF_TRANSPORT -> throw lost(failure);
		}
	}

	@Override
	public @Nullable Outcome nextOutcome(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (this.outcomes.isEmpty()) {
			Answer answer = this.answers.poll();
			if (answer == null && this.lost != null) {
				throw this.lost;
			}
			if (answer == null) {
				answer = await(deadline - System.nanoTime());
			}
			if (answer == null) {
				return null;
			}
			settle(answer.message(), answer.reason());
		}
		return this.outcomes.remove();
	}

	private @Nullable Answer await(long nanos) {
		try {
			return (nanos > 0) ? this.answers.poll(nanos, TimeUnit.NANOSECONDS) : null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new TransportException("Interrupted while waiting for Kafka", ex);
		}
	}

	private void settle(StoredMessage message, @Nullable Throwable failure) {
		if (failure == null) {
			settle(Outcome.published(message.id()));
			return;
		}
		switch (SendFailure.of(failure)) {
			case NO_TOPIC -> settle(noTopic(message));
			case OF_MESSAGE ->
				settle(Outcome.failed(message.id(), "refused by the broker: " + failure, FailureReason.NACKED));
			case OF_CLOCK -> settle(wrongTime(message, failure));
			case OF_ANOTHER -> sendAgain(message, failure);
			case OF_TRANSPORT -> this.lost = lost(failure);
		}
	}

	private void sendAgain(StoredMessage message, Throwable failure) {
		if (this.lost == null && this.sentAgain.add(message.id())) {
			this.inFlight--;
			send(message);
		}
		else {
			this.lost = lost(failure);
		}
	}

	private void settle(Outcome outcome) {
		this.inFlight--;
		this.outcomes.add(outcome);
	}

	private Outcome noTopic(StoredMessage message) {
		String topic = message.message().destination().exchange();
		this.unknownTopics.add(topic);
		return Outcome.failed(message.id(), unroutable(topic), FailureReason.RETURNED);
	}

	private static Outcome wrongTime(StoredMessage message, Throwable failure) {
		return Outcome.unreachable(message.id(),
				"the broker refuses the time of the record: set the clock of the relay's machine (%s)"
					.formatted(failure.getMessage()));
	}

	private static String unroutable(String topic) {
		return "the broker has no topic '%s': create it, or let the user of the relay describe it".formatted(topic);
	}

	private static TransportException lost(Throwable failure) {
		Throwable cause = failure.getCause();
		String text = failure.getMessage() + ((cause != null) ? ": " + cause.getMessage() : "");
		String words = (failure instanceof InterruptException) ? "Interrupted while waiting for Kafka"
				: (failure instanceof TimeoutException) ? "No broker of Kafka answers (%s)".formatted(text)
						: "Kafka was lost: " + text;
		return new TransportException(words, failure);
	}

	/**
	 * Whether the outcome of everything sent is known.
	 */
	boolean isIdle() {
		return this.inFlight == 0 && this.lost == null;
	}

	/**
	 * What the producer said of a record.
	 */
	private record Answer(StoredMessage message, @Nullable Throwable failure) {

		// The template wraps it, and so does its future
		@Nullable Throwable reason() {
			Throwable reason = this.failure;
			while ((reason instanceof KafkaException || reason instanceof CompletionException)
					&& reason.getCause() != null) {
				reason = reason.getCause();
			}
			return reason;
		}

	}

}
