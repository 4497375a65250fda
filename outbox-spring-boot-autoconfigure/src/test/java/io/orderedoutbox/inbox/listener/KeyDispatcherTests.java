/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.listener.KeyDispatcher.Work;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What can happen between two steps of a {@link KeyDispatcher}. The rest is tested on a
 * real broker.
 */
class KeyDispatcherTests {

	private final KeyDispatcher dispatcher = new KeyDispatcher(1, new CustomizableThreadFactory("test-"));

	private final CountDownLatch done = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.dispatcher.close();
	}

	@Test
	void aDispatcherThatIsClosedLeavesNothingOfWhatWaitsInMemory() throws InterruptedException {
		WeakReference<Work> failing = add(() -> Duration.ofHours(1));
		WeakReference<Work> waiting = add(() -> null);
		// On the only thread, so that the pause of the other key has begun
		this.dispatcher.add("b", last());
		awaitLast();
		this.dispatcher.close();
		Awaitility.await().until(() -> {
			System.gc();
			return failing.get() == null && waiting.get() == null;
		});
	}

	private WeakReference<Work> add(Supplier<@Nullable Duration> what) {
		Work work = new DispatchedStep() {

			@Override
			public @Nullable Duration run() {
				return what.get();
			}

		};
		this.dispatcher.add("a", work);
		return new WeakReference<>(work);
	}

	@Test
	void workThatBecomesVoidWhileItFailsKeepsNothingWaiting() throws InterruptedException {
		this.dispatcher.add("a", new DispatchedStep() {

			private volatile boolean isVoid;

			@Override
			public Duration run() {
				this.isVoid = true;
				KeyDispatcherTests.this.dispatcher.add("a", last());
				return Duration.ofHours(1);
			}

			@Override
			public boolean isVoid() {
				return this.isVoid;
			}

		});
		awaitLast();
	}

	@Test
	void workThatBecomesVoidInItsPauseKeepsNothingWaiting() throws InterruptedException {
		CountDownLatch paused = new CountDownLatch(1);
		this.dispatcher.add("a", new DispatchedStep() {

			private volatile boolean isVoid;

			@Override
			public @Nullable Duration run() {
				return this.isVoid ? null : Duration.ofHours(1);
			}

			// Asked once when the pause begins
			@Override
			public boolean isVoid() {
				boolean before = this.isVoid;
				this.isVoid = true;
				paused.countDown();
				return before;
			}

		});
		assertThat(paused.await(10, TimeUnit.SECONDS)).isTrue();
		this.dispatcher.add("a", last());
		awaitLast();
	}

	@Test
	void workThatThrowsIsTriedAgain() throws InterruptedException {
		CountDownLatch attempts = new CountDownLatch(2);
		this.dispatcher.add("a", new DispatchedStep() {

			@Override
			public @Nullable Duration run() {
				attempts.countDown();
				if (attempts.getCount() > 0) {
					throw new IllegalStateException("by itself");
				}
				return null;
			}

		});
		this.dispatcher.add("a", last());
		awaitLast();
		assertThat(attempts.getCount()).isZero();
	}

	@ParameterizedTest
	@ValueSource(classes = { OutOfMemoryError.class, IllegalStateException.class })
	void withoutAThreadTheFirstOfAKeyIsTriedAgain(Class<? extends Throwable> failure) throws InterruptedException {
		KeyDispatcher dispatcher = new KeyDispatcher(1, failingAt(1, failure));
		dispatcher.add("a", last());
		awaitLast();
		dispatcher.close();
	}

	@ParameterizedTest
	@ValueSource(classes = { OutOfMemoryError.class, IllegalStateException.class })
	void withoutAThreadTheNextOfAKeyIsTriedAgain(Class<? extends Throwable> failure) throws InterruptedException {
		KeyDispatcher dispatcher = new KeyDispatcher(2, failingAt(2, failure));
		CountDownLatch isNextThere = new CountDownLatch(1);
		dispatcher.add("a", new DispatchedStep() {

			@Override
			public @Nullable Duration run() {
				try {
					assertThat(isNextThere.await(10, TimeUnit.SECONDS)).isTrue();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return null;
			}

		});
		dispatcher.add("a", last());
		isNextThere.countDown();
		awaitLast();
		dispatcher.close();
	}

	// As the system does where there are too many threads
	private static ThreadFactory failingAt(int number, Class<? extends Throwable> failure) {
		AtomicInteger threads = new AtomicInteger();
		ThreadFactory factory = new CustomizableThreadFactory("test-");
		return (task) -> {
			if (threads.incrementAndGet() == number) {
				if (Error.class.isAssignableFrom(failure)) {
					throw new OutOfMemoryError("unable to create native thread");
				}
				throw new IllegalStateException("no thread");
			}
			return factory.newThread(task);
		};
	}

	@Test
	void whatIsClosedBeginsNothingMore() throws InterruptedException {
		this.dispatcher.close();
		this.dispatcher.add("a", last());
		assertThat(this.dispatcher.awaitEnd(Duration.ofSeconds(10))).isTrue();
		assertThat(this.done.getCount()).isOne();
	}

	private void awaitLast() throws InterruptedException {
		assertThat(this.done.await(10, TimeUnit.SECONDS)).isTrue();
	}

	private DispatchedStep last() {
		return DispatchedStep.of(this.done::countDown);
	}

}
