/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.OutboxScope;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;

/**
 * {@link MessageSender} that hands messages to the {@link OutboxListener} methods of the
 * same application.
 * <p>
 * A channel hands over one message after the other, and the worker that has opened it
 * waits for the listeners: so there are as many listeners at work as the relay has
 * workers. They are called on a thread of their own, because the thread of the worker
 * belongs to the transaction that holds the claim.
 */
public final class ListenerMessageSender implements MessageSender {

	private final OutboxListeners listeners;

	private final PayloadReader reader;

	private final UnaryOperator<StoredMessage> decoder;

	private final AbandonedWork abandoned = new AbandonedWork();

	private final Duration limit;

	/**
	 * Create a sender.
	 * @param listeners the listeners
	 * @param reader makes what they take
	 * @param decoder undoes what was done to payloads for consumers: here, those are the
	 * listeners. It is called on their thread. What it throws fails the message as what a
	 * sender throws does
	 * @param limit how long the decoder and the listeners of a message may take together,
	 * less than the store keeps a claim that says nothing: then they are interrupted. The
	 * message has failed if a listener had begun; if not, its payload cannot be had for
	 * now
	 */
	public ListenerMessageSender(OutboxListeners listeners, PayloadReader reader, UnaryOperator<StoredMessage> decoder,
			Duration limit) {
		this.listeners = listeners;
		this.reader = reader;
		this.decoder = decoder;
		this.limit = limit;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		// A thread is made with the first message, if there is one, and another one if a
		// listener does not end when it is interrupted
		AtomicInteger made = new AtomicInteger();
		ExecutorService threads = Executors
			.newCachedThreadPool((task) -> OutboxScope.thread(task, "outbox-listener-" + made.incrementAndGet()));
		try {
			work.accept(new ListenerChannel(this.listeners, this.reader, this.decoder, this.limit, threads,
					this.abandoned));
		}
		finally {
			threads.shutdown();
		}
	}

}
