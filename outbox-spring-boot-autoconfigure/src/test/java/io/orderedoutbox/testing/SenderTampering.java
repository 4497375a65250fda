/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.function.Consumer;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Sits between the relay of an application and its sender.
 */
public abstract class SenderTampering implements BeanPostProcessor {

	/**
	 * Before a message is sent.
	 */
	protected void beforeSend(StoredMessage message) {
	}

	/**
	 * What the relay is told of an outcome, or null to keep it from the relay.
	 */
	protected Outcome seen(Outcome outcome) {
		return outcome;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		return (bean instanceof MessageSender sender) ? (MessageSender) (work) -> tampered(sender, work) : bean;
	}

	protected void tampered(MessageSender sender, Consumer<SendingChannel> work) {
		sender.withChannel((channel) -> work.accept(new TamperedChannel(channel)));
	}

	private final class TamperedChannel implements SendingChannel {

		private final SendingChannel channel;

		TamperedChannel(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			beforeSend(message);
			this.channel.send(message);
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			long deadline = System.nanoTime() + timeout.toNanos();
			Outcome seen = null;
			Outcome outcome = this.channel.nextOutcome(timeout);
			while (outcome != null && seen == null) {
				seen = seen(outcome);
				outcome = (seen == null)
						? this.channel.nextOutcome(Duration.ofNanos(Math.max(0, deadline - System.nanoTime()))) : null;
			}
			return seen;
		}

	}

}
