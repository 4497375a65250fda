/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.latency;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

import io.orderedoutbox.benchmark.load.Payloads;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Watches the sender of an instance: when which message was confirmed.
 */
final class Confirms implements BeanPostProcessor {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final AtomicLongArray times;

	Confirms(int messages) {
		this.times = new AtomicLongArray(messages);
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof MessageSender sender) {
			MessageSender watched = (work) -> sender.withChannel((channel) -> work.accept(new Watched(channel)));
			return watched;
		}
		return bean;
	}

	/**
	 * When a message was first confirmed.
	 */
	long time(int number) {
		long time = this.times.get(number);
		if (time == 0) {
			throw new IllegalStateException("Message %d was not confirmed".formatted(number));
		}
		return time;
	}

	/**
	 * Wait until the first messages are confirmed.
	 */
	void await(int messages) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		for (int number = 0; number < messages; number++) {
			while (this.times.get(number) == 0) {
				if (System.nanoTime() > deadline) {
					time(number);
				}
				Thread.sleep(1);
			}
		}
	}

	/**
	 * A channel, used by one thread.
	 */
	private final class Watched implements SendingChannel {

		private final Map<Long, Integer> numbers = new HashMap<>();

		private final SendingChannel channel;

		Watched(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			this.numbers.put(message.id(), (int) Payloads.number(message.message().payload()));
			this.channel.send(message);
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			Outcome outcome = this.channel.nextOutcome(timeout);
			Integer number = (outcome != null) ? this.numbers.remove(outcome.id()) : null;
			if (number != null && outcome != null && outcome.error() == null) {
				Confirms.this.times.compareAndSet(number, 0, System.nanoTime());
			}
			return outcome;
		}

	}

}
