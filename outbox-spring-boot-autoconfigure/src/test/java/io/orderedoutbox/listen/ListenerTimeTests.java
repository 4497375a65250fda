/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The time that a message may take in its listeners begins when its payload is undone for
 * them, and what is too late calls no listener.
 */
@Tag("unit")
@Timeout(30)
class ListenerTimeTests {

	private static final Duration LIMIT = Duration.ofMillis(200);

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final CountDownLatch end = new CountDownLatch(1);

	private final AtomicReference<Thread> thread = new AtomicReference<>();

	private final CountDownLatch interrupted = new CountDownLatch(1);

	private final List<String> taken = new CopyOnWriteArrayList<>();

	private final OutboxListeners listeners = new OutboxListeners(Class::getName);

	ListenerTimeTests() {
		this.listeners.postProcessAfterInitialization(new Listener(), "listener");
	}

	@Test
	void aPayloadThatIsNotUndoneInTimeIsInterruptedAndUnavailable() throws InterruptedException {
		channel(this::untilInterrupted, LIMIT, (channel) -> {
			assertThatExceptionOfType(PayloadUnavailableException.class)
				.isThrownBy(() -> channel.send(message("order.placed")))
				.withMessageContaining("within " + LIMIT);
			assertThat(channel.nextOutcome(Duration.ofMillis(50))).as("outcome").isNull();
		});
		assertThat(this.interrupted.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.taken).isEmpty();
	}

	@Test
	void aPayloadThatIsUndoneTooLateIsNotHandedOver() throws InterruptedException {
		channel(this::untilEnd, LIMIT, (channel) -> {
			assertThatExceptionOfType(PayloadUnavailableException.class)
				.isThrownBy(() -> channel.send(message("order.placed")));
		});
		assertThat(this.taken).isEmpty();
	}

	@Test
	void payloadsThatAreUndoneForEverTakeNoMoreThanTenThreads() throws InterruptedException {
		AtomicInteger begun = new AtomicInteger();
		channel((message) -> {
			begun.incrementAndGet();
			return whateverInterruptsIt(message);
		}, LIMIT, (channel) -> {
			for (int message = 0; message < 20; message++) {
				assertThatExceptionOfType(PayloadUnavailableException.class)
					.isThrownBy(() -> channel.send(message("order.placed")));
			}
			assertThat(begun).hasValue(10);
		});
		assertThat(this.taken).isEmpty();
	}

	@Test
	void aPayloadThatIsUndoneAfterItsWorkerWasInterruptedIsNotHandedOver() throws InterruptedException {
		channel(this::untilEnd, PATIENCE, (channel) -> {
			Thread worker = Thread.currentThread();
			new Thread(() -> {
				Awaitility.await().until(() -> this.thread.get() != null);
				worker.interrupt();
			}, "test-interrupt").start();
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> channel.send(message("order.placed")));
			assertThat(Thread.interrupted()).isTrue();
		});
		assertThat(this.taken).isEmpty();
	}

	@Test
	void theNextListenerDoesNotBeginWhenTheTimeIsOver() throws InterruptedException {
		channel((message) -> message, LIMIT, (channel) -> {
			channel.send(message("order.slow"));
			assertThat(channel.nextOutcome(Duration.ZERO)).satisfies((outcome) -> {
				assertThat(outcome).isNotNull();
				assertThat(outcome.error()).contains("not done within");
			});
		});
		assertThat(this.taken).hasSize(1);
	}

	@Test
	void aPayloadIsUndoneOnTheThreadOfTheListeners() throws InterruptedException {
		channel((message) -> {
			this.thread.set(Thread.currentThread());
			return message;
		}, PATIENCE, (channel) -> {
			channel.send(message("order.placed"));
			assertThat(channel.nextOutcome(Duration.ZERO)).isNotNull();
		});
		assertThat(this.thread.get()).isNotNull().isNotSameAs(Thread.currentThread());
		assertThat(this.taken).containsExactly("placed");
	}

	static Stream<Throwable> thrown() {
		return Stream.of(new PayloadUnavailableException("away", null), new IllegalArgumentException("damaged"),
				new TransportException("lost", null), new StackOverflowError("deep"));
	}

	@ParameterizedTest
	@MethodSource("thrown")
	void whatIsThrownWhileAPayloadIsUndoneComesToTheRelayAsItIs(Throwable thrown) throws InterruptedException {
		channel((message) -> {
			ReflectionUtils.rethrowRuntimeException(thrown);
			return message;
		}, LIMIT, (channel) -> {
			assertThatExceptionOfType(Throwable.class).isThrownBy(() -> channel.send(message("order.placed")))
				.isSameAs(thrown);
			assertThat(channel.nextOutcome(Duration.ofMillis(50))).as("outcome").isNull();
		});
		assertThat(this.taken).isEmpty();
	}

	private StoredMessage untilInterrupted(StoredMessage message) {
		try {
			assertThat(this.end.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
			return message;
		}
		catch (InterruptedException ex) {
			this.interrupted.countDown();
			throw new IllegalStateException("interrupted", ex);
		}
	}

	private StoredMessage whateverInterruptsIt(StoredMessage message) {
		while (true) {
			try {
				assertThat(this.end.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
				return message;
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
			}
		}
	}

	private StoredMessage untilEnd(StoredMessage message) {
		this.thread.set(Thread.currentThread());
		long latest = System.nanoTime() + PATIENCE.toNanos();
		while (this.end.getCount() > 0 && System.nanoTime() < latest) {
			Thread.onSpinWait();
		}
		return message;
	}

	// When it returns, all that was begun has ended
	private void channel(UnaryOperator<StoredMessage> decoder, Duration limit, Consumer<SendingChannel> work)
			throws InterruptedException {
		try {
			new ListenerMessageSender(this.listeners, (payload, type) -> payload, decoder, limit).withChannel(work);
		}
		finally {
			this.end.countDown();
		}
		Thread begun = this.thread.get();
		if (begun != null && begun != Thread.currentThread()) {
			begun.join(PATIENCE.toMillis());
			assertThat(begun.isAlive()).isFalse();
		}
	}

	private static StoredMessage message(String name) {
		return new StoredMessage(1, new Message(UUID.randomUUID(), name, "a", new Destination("in-process", name),
				"text/plain", new byte[0], Map.of()), Instant.now(), 0, null);
	}

	final class Listener {

		@OutboxListener("order.placed")
		void placed(String payload) {
			ListenerTimeTests.this.taken.add("placed");
		}

		@OutboxListener("order.slow")
		void one(String payload) {
			slow("one");
		}

		@OutboxListener("order.slow")
		void other(String payload) {
			slow("other");
		}

		private void slow(String name) {
			ListenerTimeTests.this.taken.add(name);
			untilEnd(message("order.slow"));
		}

	}

}
