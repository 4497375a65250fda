/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A listener may hide in its declared type that it returns before its work is done.
 */
@Tag("unit")
class ListenerResultTests {

	static Stream<Named<Object>> later() {
		return Stream.of(Named.of("a future", new CompletableFuture<>()),
				Named.of("a future that is done", CompletableFuture.completedFuture("done")),
				Named.of("a task", new FutureTask<>(() -> "done")),
				Named.of("a stage", new CompletableFuture<>().minimalCompletionStage()),
				Named.of("a publisher", new SubmissionPublisher<>()));
	}

	@ParameterizedTest
	@MethodSource("later")
	void aMessageWhoseWorkIsToBeDoneLaterHasFailed(Object result) {
		Outcome outcome = outcome(new Returning(() -> result));
		assertThat(outcome.error()).startsWith("Returning.take: ")
			.contains(result.getClass().getName(), "before its work is done");
		assertThat(outcome.reason()).isEqualTo(FailureReason.REFUSED);
	}

	@Test
	void soItIsWithAnySupertype() {
		assertThat(outcome(new ReturningTask()).error()).contains("before its work is done");
	}

	static Stream<Named<Optional<Object>>> values() {
		return Stream.of(Named.of("nothing", Optional.empty()), Named.of("text", Optional.of("done")),
				Named.of("a list", Optional.of(List.of())), Named.of("an optional", Optional.of(Optional.of("done"))));
	}

	@ParameterizedTest
	@MethodSource("values")
	void anyOtherResultIsLeftAlone(Optional<Object> result) {
		assertThat(outcome(new Returning(() -> result.orElse(null))).error()).isNull();
	}

	private static Outcome outcome(Object bean) {
		OutboxListeners listeners = new OutboxListeners(Class::getName);
		listeners.postProcessAfterInitialization(bean, "listener");
		Outcome[] outcome = new Outcome[1];
		new ListenerMessageSender(listeners, (payload, type) -> payload, UnaryOperator.identity(),
				Duration.ofSeconds(10))
			.withChannel((channel) -> {
				channel.send(new StoredMessage(1,
						new Message(UUID.randomUUID(), "order.placed", "a",
								new Destination("in-process", "order.placed"), "text/plain", new byte[0], Map.of()),
						Instant.now(), 0, null));
				outcome[0] = channel.nextOutcome(Duration.ZERO);
			});
		assertThat(outcome[0]).isNotNull();
		return outcome[0];
	}

	static final class Returning {

		private final Supplier<@Nullable Object> result;

		Returning(Supplier<@Nullable Object> result) {
			this.result = result;
		}

		@OutboxListener("order.placed")
		@Nullable Object take(String payload) {
			return this.result.get();
		}

	}

	static final class ReturningTask {

		@OutboxListener("order.placed")
		Runnable take(String payload) {
			return new FutureTask<>(() -> "done");
		}

	}

}
