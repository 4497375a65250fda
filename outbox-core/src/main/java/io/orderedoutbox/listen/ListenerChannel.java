/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * {@link SendingChannel} to listeners in the same application. A message has its outcome
 * when the call that sends it returns: published if all of its listeners have returned.
 * <p>
 * While they work, nobody asks the store whether the claim still stands. So a listener
 * has a time limit, or a message that always takes too long would be handed over again
 * and again, and would never have failed. What is done to the payload before counts: it
 * may ask a storage that does not answer.
 */
final class ListenerChannel implements SendingChannel {

	private static final String TOO_LONG = "%s: not done within %s, and interrupted: shorten the work, or raise outbox.relay.lock-timeout";

	private static final String NOT_UNDONE = "the payload transformers have not undone it within %s, and were interrupted: see what they wait for";

	private static final String TOO_MANY = "the payload transformers work on others whose time is over, and have not reacted to their interrupts: give what they wait for a time-out";

	private final OutboxListeners listeners;

	private final PayloadReader reader;

	private final UnaryOperator<StoredMessage> decoder;

	private final Duration limit;

	private final ExecutorService threads;

	private final AbandonedWork abandoned;

	private final BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();

	ListenerChannel(OutboxListeners listeners, PayloadReader reader, UnaryOperator<StoredMessage> decoder,
			Duration limit, ExecutorService threads, AbandonedWork abandoned) {
		this.listeners = listeners;
		this.reader = reader;
		this.decoder = decoder;
		this.limit = limit;
		this.threads = threads;
		this.abandoned = abandoned;
	}

	/**
	 * Hand a message to its listeners, and wait until they have returned. A listener that
	 * takes too long is interrupted, and so is one whose worker is: if it goes on all the
	 * same, the message may be handed over again beside it. A listener that has not begun
	 * by then is not called.
	 * @throws PayloadUnavailableException if the time is over before a listener has
	 * begun, or too many payloads of others are still being undone after their time
	 * @throws TransportException if the thread is interrupted while it waits
	 */
	@Override
	public void send(StoredMessage message) {
		String name = message.message().name();
		List<ListenerMethod> takers = this.listeners.of(name);
		if (takers.isEmpty()) {
			this.outcomes.add(Outcome.failed(message.id(),
					"no @OutboxListener of this application takes messages with the name '%s'".formatted(name),
					FailureReason.UNSENDABLE));
			return;
		}
		if (this.abandoned.isTooMuch()) {
			throw new PayloadUnavailableException(TOO_MANY, null);
		}
		HandOver handOver = new HandOver(message, takers, this.decoder, this.reader);
		Future<Outcome> outcome = this.threads.submit(handOver);
		try {
			this.outcomes.add(outcome.get(this.limit.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			boolean hasBegun = handOver.giveUp();
			outcome.cancel(true);
			if (!hasBegun) {
				this.abandoned.add(handOver);
				throw new PayloadUnavailableException(NOT_UNDONE.formatted(this.limit), ex);
			}
			this.outcomes
				.add(Outcome.failed(message.id(), TOO_LONG.formatted(takers, this.limit), FailureReason.REFUSED));
		}
		catch (InterruptedException ex) {
			handOver.giveUp();
			outcome.cancel(true);
			Thread.currentThread().interrupt();
			throw new TransportException("Interrupted while a listener worked on " + message, ex);
		}
		catch (ExecutionException ex) {
			// The decoder has thrown it: the relay knows what it means
			ReflectionUtils.rethrowRuntimeException(ex.getCause());
		}
	}

	@Override
	public @Nullable Outcome nextOutcome(Duration timeout) {
		try {
			return this.outcomes.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new TransportException("Interrupted while waiting for outcomes", ex);
		}
	}

}
