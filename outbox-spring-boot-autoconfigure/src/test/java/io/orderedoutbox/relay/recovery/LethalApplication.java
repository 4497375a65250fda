/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;

import java.time.Duration;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that ends when it sends a message named {@code order.lost}: at once, as
 * after a native crash, or by {@link System#exit}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class LethalApplication {

	static final int KILLED = 42;

	public static void main(String[] arguments) {
		SpringApplication.run(LethalApplication.class, arguments);
	}

	@Bean
	MessageSenderDecorator lethal(@Value("${halt}") boolean halt) {
		return (sender) -> (MessageSender) (work) -> sender
			.withChannel((channel) -> work.accept(new LethalChannel(channel, halt)));
	}

	private record LethalChannel(SendingChannel channel, boolean halt) implements SendingChannel {

		@Override
		public void send(StoredMessage message) {
			if (!message.message().name().equals("order.lost")) {
				this.channel.send(message);
			}
			else if (this.halt) {
				Runtime.getRuntime().halt(KILLED);
			}
			else {
				System.exit(KILLED);
			}
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			return this.channel.nextOutcome(timeout);
		}

	}

}
