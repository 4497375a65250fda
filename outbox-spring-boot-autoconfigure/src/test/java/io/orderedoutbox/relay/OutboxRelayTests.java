/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.orderedoutbox.relay.batch.FailurePolicy;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.relay.batch.RetryPolicy;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lifecycle of the relay as a Spring component, over a store that has nothing to do,
 * or that hangs.
 */
@Tag("unit")
@Timeout(60)
class OutboxRelayTests {

	private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

	private static final Duration STOP_TIMEOUT = Duration.ofMillis(300);

	private final List<Long> looks = new CopyOnWriteArrayList<>();

	private final List<Thread> workers = new CopyOnWriteArrayList<>();

	private final CountDownLatch answer = new CountDownLatch(1);

	private final OutboxRelay idle = relay(() -> () -> {
		this.looks.add(System.nanoTime());
		this.workers.add(Thread.currentThread());
		return null;
	});

	// As deaf as a read from a socket
	private final RelayStore deaf = () -> () -> {
		this.workers.add(Thread.currentThread());
		boolean answered = false;
		while (!answered) {
			try {
				this.answer.await();
				answered = true;
			}
			catch (InterruptedException ex) {
				// as said
			}
		}
		return null;
	};

	private final OutboxRelay hanging = relay(this.deaf);

	private final OutboxRelay patient = relay(2, this.deaf, Duration.ofMinutes(1));

	@AfterEach
	void stop() {
		this.answer.countDown();
		this.idle.stop();
		this.hanging.stop();
		this.patient.stop();
	}

	@Test
	void isUpBeforeTheWebServerAndDownAfterIt() {
		int webServerStartStop = Integer.MAX_VALUE - 2048;
		assertThat(this.idle.getPhase()).isEqualTo(Integer.MAX_VALUE - 4096).isLessThan(webServerStartStop);
		assertThat(this.idle.isAutoStartup()).isTrue();
	}

	@Test
	void anIdleWorkerLooksOncePerPollIntervalWithJitter() {
		OutboxRelay alone = relay(1, () -> () -> {
			this.looks.add(System.nanoTime());
			return null;
		});
		alone.start();
		Awaitility.await().until(() -> this.looks.size() > 20);
		alone.stop();
		List<Long> waits = new ArrayList<>();
		for (int i = 1; i <= 20; i++) {
			waits.add(this.looks.get(i) - this.looks.get(i - 1));
		}
		assertThat(waits).allMatch((wait) -> wait >= POLL_INTERVAL.toNanos())
			.anyMatch((wait) -> wait < POLL_INTERVAL.toNanos() * 110 / 100)
			.anyMatch((wait) -> wait > POLL_INTERVAL.toNanos() * 110 / 100);
	}

	@Test
	void startsOnceAndStopsOnce() {
		this.idle.start();
		this.idle.start();
		assertThat(this.idle.isRunning()).isTrue();
		Awaitility.await().until(() -> this.workers.stream().distinct().count() == 2);
		this.idle.stop();
		this.idle.stop();
		assertThat(this.idle.isRunning()).isFalse();
		assertThat(this.workers).noneMatch(Thread::isAlive);
		assertThat(this.workers.stream().distinct()).hasSize(2);
	}

	@Test
	void aRestartWorksOnThreadsOfItsOwn() {
		for (int start = 1; start <= 3; start++) {
			int threads = 2 * start;
			this.idle.start();
			Awaitility.await().until(() -> this.workers.stream().distinct().count() == threads);
			this.idle.stop();
			assertThat(this.workers).noneMatch(Thread::isAlive);
		}
	}

	@Test
	void aStopDoesNotWaitForThePollInterval() {
		OutboxRelay sleepy = new OutboxRelay(() -> () -> {
			this.workers.add(Thread.currentThread());
			return null;
		}, unused(), new RelaySignal(), new RelaySettings(true, 3, Duration.ofMinutes(1), worker(Duration.ofHours(1))),
				List.of());
		sleepy.start();
		Awaitility.await().until(() -> this.workers.size() == 3);
		sleepy.stop();
		assertThat(this.workers).noneMatch(Thread::isAlive);
	}

	@Test
	void aStopGivesUpOnWorkersThatHang() {
		this.hanging.start();
		Awaitility.await().until(() -> this.workers.size() == 2);
		long start = System.nanoTime();
		this.hanging.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(STOP_TIMEOUT.minusMillis(20),
				STOP_TIMEOUT.plusSeconds(2));
		assertThat(this.hanging.isRunning()).isFalse();
	}

	@Test
	void workersThatHungDoNotComeBackToLifeAfterARestart() {
		this.hanging.start();
		Awaitility.await().until(() -> this.workers.size() == 2);
		this.hanging.stop();
		List<Thread> old = List.copyOf(this.workers);
		this.hanging.start();
		Awaitility.await().until(() -> this.workers.size() == 4);
		this.answer.countDown();
		Awaitility.await().until(() -> old.stream().noneMatch(Thread::isAlive));
		assertThat(this.workers).filteredOn(Thread::isAlive).isNotEmpty();
	}

	@Test
	void aStopAlwaysCallsBack() throws Exception {
		assertThat(callsBack(this.idle)).as("when never started").isTrue();
		this.idle.start();
		assertThat(callsBack(this.idle)).as("when running").isTrue();
		assertThat(callsBack(this.idle)).as("when stopped").isTrue();
		this.hanging.start();
		assertThat(callsBack(this.hanging)).as("when it hangs").isTrue();
	}

	// Otherwise Spring would go on, and close the connection
	@Test
	void aStopWithCallbackReturnsWhenTheWorkersHaveEnded() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		assertThat(awaitsTheWorkers(() -> {
			this.patient.stop(calls::incrementAndGet);
			return calls.get();
		})).isOne();
	}

	@Test
	void whoeverStopsItASecondTimeWaitsAsWell() throws Exception {
		CompletableFuture<Void> first = new CompletableFuture<>();
		assertThat(awaitsTheWorkers(() -> {
			first.completeAsync(() -> {
				this.patient.stop();
				return null;
			}, OWN_THREAD);
			Awaitility.await().until(() -> this.patient.state() == RelayState.STOPPED);
			assertThat(this.patient.isRunning()).isTrue();
			this.patient.stop();
			return this.patient.isRunning();
		})).isFalse();
		first.get(10, TimeUnit.SECONDS);
	}

	@Test
	void anInterruptDoesNotShortenAStop() throws Exception {
		assertThat(awaitsTheWorkers(() -> {
			Thread.currentThread().interrupt();
			this.patient.stop();
			return Thread.interrupted();
		})).as("interrupted as before").isTrue();
	}

	@Test
	void aRelayThatIsBeingStoppedCanBeStarted() throws Exception {
		assertThat(awaitsTheWorkers(() -> {
			CompletableFuture<Void> stop = CompletableFuture.runAsync(this.patient::stop, OWN_THREAD);
			Awaitility.await().until(() -> this.patient.state() == RelayState.STOPPED);
			this.patient.start();
			stop.join();
			return this.patient.state();
		})).isEqualTo(RelayState.RUNNING);
		Awaitility.await().until(() -> this.workers.stream().filter(Thread::isAlive).distinct().count() == 2);
	}

	// Such as one whose listener ends the application
	@Test
	void aWorkerThatStopsItsRelayDoesNotWaitForItself() throws Exception {
		CompletableFuture<OutboxRelay> relay = new CompletableFuture<>();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		RelayListener impatient = new RelayListener() {

			@Override
			public void nothingFound() {
				relay.join().stop();
				interrupted.complete(Thread.currentThread().isInterrupted());
			}

		};
		relay.complete(new OutboxRelay(() -> () -> null, unused(), new RelaySignal(),
				new RelaySettings(true, 1, Duration.ofMinutes(1), worker(POLL_INTERVAL)), List.of(impatient)));
		relay.get().start();
		assertThat(interrupted.get(10, TimeUnit.SECONDS)).isFalse();
	}

	private <T> T awaitsTheWorkers(Supplier<T> stop) throws Exception {
		this.patient.start();
		Awaitility.await().until(() -> this.workers.size() == 2);
		List<Thread> awaited = List.copyOf(this.workers);
		CompletableFuture<T> result = CompletableFuture.supplyAsync(stop, OWN_THREAD);
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> !result.isDone());
		this.answer.countDown();
		T returned = result.get(10, TimeUnit.SECONDS);
		assertThat(awaited).noneMatch(Thread::isAlive);
		return returned;
	}

	@Test
	void aWorkerOutlivesWhateverItsStoreThrows() {
		AtomicInteger calls = new AtomicInteger();
		OutboxRelay unlucky = relay(1, () -> () -> {
			this.workers.add(Thread.currentThread());
			switch (calls.incrementAndGet()) {
				case 1 -> throw new IllegalStateException("on purpose");
				case 2 -> throw new NoClassDefFoundError("on purpose");
				default -> {
					return null;
				}
			}
		});
		unlucky.start();
		Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> calls.get() >= 4);
		unlucky.stop();
		assertThat(this.workers).containsOnly(this.workers.get(0));
	}

	@Test
	void whateverAWorkerWaitsForItKeepsNothingMeanwhile() {
		AtomicInteger claims = new AtomicInteger();
		AtomicInteger rests = new AtomicInteger();
		Claims failingOnce = new Claims() {

			@Override
			public Claim next() {
				if (claims.incrementAndGet() == 1) {
					throw new IllegalStateException("on purpose");
				}
				return null;
			}

			@Override
			public Duration rest() {
				rests.incrementAndGet();
				return UNTIL_TOLD;
			}

		};
		// It does not look again by itself
		OutboxRelay relay = new OutboxRelay(() -> failingOnce, unused(), new RelaySignal(),
				new RelaySettings(true, 1, STOP_TIMEOUT, worker(Duration.ofHours(1))), List.of());
		relay.start();
		// After the failure, before the next claim, and when that has found nothing
		Awaitility.await().until(() -> rests.get() == 3);
		assertThat(claims).hasValue(2);
		int before = rests.get();
		relay.pause();
		Awaitility.await().until(() -> relay.state() == RelayState.PAUSED);
		assertThat(rests).hasValueGreaterThan(before);
		relay.stop();
	}

	@Test
	void aWorkerOutlivesAStoreThatCannotGiveBackWhatItHasKept() {
		AtomicInteger rests = new AtomicInteger();
		OutboxRelay unlucky = relay(1, () -> new Claims() {

			@Override
			public Claim next() {
				OutboxRelayTests.this.workers.add(Thread.currentThread());
				return null;
			}

			@Override
			public Duration rest() {
				if (rests.incrementAndGet() == 1) {
					throw new IllegalStateException("on purpose");
				}
				return UNTIL_TOLD;
			}

		});
		unlucky.start();
		Awaitility.await().until(() -> rests.get() >= 2 && unlucky.outage() == null);
		unlucky.stop();
		assertThat(this.workers).containsOnly(this.workers.get(0));
	}

	private static boolean callsBack(OutboxRelay relay) throws InterruptedException {
		CountDownLatch called = new CountDownLatch(1);
		relay.stop(called::countDown);
		return called.await(10, TimeUnit.SECONDS);
	}

	private static OutboxRelay relay(RelayStore store) {
		return relay(2, store);
	}

	private static OutboxRelay relay(int workers, RelayStore store) {
		return relay(workers, store, STOP_TIMEOUT);
	}

	private static OutboxRelay relay(int workers, RelayStore store, Duration stopTimeout) {
		return new OutboxRelay(store, unused(), new RelaySignal(),
				new RelaySettings(true, workers, stopTimeout, worker(POLL_INTERVAL)), List.of());
	}

	private static MessageSender unused() {
		return (work) -> work.accept(new SendingChannel() {

			@Override
			public void send(StoredMessage message) {
				throw new IllegalStateException("There was nothing to send");
			}

			@Override
			public @Nullable Outcome nextOutcome(Duration timeout) {
				throw new IllegalStateException("Nothing was sent");
			}

		});
	}

	private static WorkerSettings worker(Duration pollInterval) {
		RetryPolicy retry = new RetryPolicy(Duration.ofMillis(50), 1, Duration.ofMillis(50), 0);
		return new WorkerSettings(pollInterval, Duration.ofMinutes(1), 100, false, Duration.ofSeconds(1),
				Duration.ofSeconds(1), new FailurePolicy(retry, 0, OnExhausted.BLOCK), retry);
	}

}
