/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a listener that processes each message once returns, which may be sent as a reply.
 */
@Tag("unit")
class ProcessOnceInterceptorTests {

	@ParameterizedTest
	@CsvSource(nullValues = "nothing", value = { "true, reply", "false, nothing" })
	void whatAnAttemptHasReturnedIsAResultOnlyIfItWasCommitted(boolean committed, @Nullable String expected) {
		ProxyFactory listener = new ProxyFactory(new Listener());
		listener.addAdvice(new ProcessOnceInterceptor(() -> endsWith(committed), () -> WithoutId.REJECT, List::of));
		Listener once = (Listener) listener.getProxy();
		Container container = (message) -> once.on("text");
		ProxyFactory delivery = new ProxyFactory(container);
		delivery.addAdvice(new DeliveryScope());
		Message message = MessageBuilder.withBody(new byte[0]).setMessageId("m1").build();
		assertThat(((Container) delivery.getProxy()).deliver(message)).isEqualTo(expected);
	}

	// Where it ends with false, it was rolled back, and another instance has processed
	// the message before the next attempt
	private static Inbox endsWith(boolean committed) {
		return new Inbox() {

			@Override
			public <E extends Throwable> boolean process(String consumer, String messageId, Work<E> work) throws E {
				work.run();
				return committed;
			}

		};
	}

	@FunctionalInterface
	interface Container {

		@Nullable String deliver(Message message);

	}

	static class Listener {

		@ProcessOnce("billing")
		public String on(String text) {
			return "reply";
		}

	}

}
