/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.listen.ReceivedMessage;
import io.orderedoutbox.testing.OrderPlaced;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.transaction.annotation.Transactional;

/**
 * Mistakes with methods that messages are handed to in the process.
 */
final class ListenerMistakes {

	private static final String IN_PROCESS = "outbox.sender=in-process";

	static final List<Mistake> ALL = List.of(
			Mistake.beans("has an `@OutboxListener` with more than two parameters", TakesTooMuch.class, IN_PROCESS),
			Mistake.beans("has an `@OutboxListener` of texts without names", TakesAnyText.class, IN_PROCESS),
			Mistake.beans("has an `@OutboxListener` of a type that gives messages no name", TakesAnyMap.class,
					IN_PROCESS),
			Mistake.beans("has an `@OutboxListener` that returns a `Future`", TakesLater.class, IN_PROCESS),
			Mistake.beans("has an `@OutboxListener` that the proxy of its bean does not have", BehindAnInterface.class,
					IN_PROCESS, "spring.aop.proxy-target-class=false"),
			Mistake.beans("has an `@OutboxListener` in a prototype, also if nothing needs it", TakesOften.class,
					IN_PROCESS));

	private ListenerMistakes() {
	}

	static class TakesTooMuch {

		@OutboxListener
		void on(OrderPlaced event, ReceivedMessage message, String third) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class TakesLater {

		@OutboxListener
		CompletableFuture<Void> on(OrderPlaced event) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TakesOften {

		@Bean
		@Scope("prototype")
		Instance instance() {
			return new Instance();
		}

	}

	static class Instance {

		@OutboxListener
		void on(OrderPlaced event) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class TakesAnyText {

		@OutboxListener
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class TakesAnyMap {

		@OutboxListener
		void on(Map<String, String> values) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class BehindAnInterface implements Runnable {

		@OutboxListener
		@Transactional
		public void on(OrderPlaced event) {
			throw new IllegalStateException("Nobody calls it");
		}

		@Override
		public void run() {
			throw new IllegalStateException("Nobody calls it");
		}

	}

}
