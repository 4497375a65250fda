package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waking idle workers.
 */
@Tag("unit")
@Timeout(30)
class RelaySignalTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final Duration SHORT = Duration.ofMillis(50);

	private final RelaySignal signal = new RelaySignal();

	@Test
	void wakesOneThatWaits() throws Exception {
		CompletableFuture<Void> waiting = waitingWorker();
		this.signal.wake();
		waiting.get(10, TimeUnit.SECONDS);
	}

	@Test
	void aSignalGivenWhileNobodyWaitsIsKept() throws Exception {
		this.signal.wake();
		this.signal.await(LONG);
	}

	@Test
	void onlyOneSignalIsKept() throws Exception {
		for (int i = 0; i < 100; i++) {
			this.signal.wake();
		}
		this.signal.await(LONG);
		assertThat(waitedFor(SHORT)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void withoutASignalTheWaitEndsByItself() throws Exception {
		assertThat(waitedFor(SHORT)).isGreaterThanOrEqualTo(SHORT);
	}

	@Test
	void allWorkersCanBeWoken() throws Exception {
		CompletableFuture<Void> first = waitingWorker();
		CompletableFuture<Void> second = waitingWorker();
		this.signal.wakeAll(2);
		CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
	}

	private Duration waitedFor(Duration timeout) throws InterruptedException {
		long start = System.nanoTime();
		this.signal.await(timeout);
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private CompletableFuture<Void> waitingWorker() {
		return CompletableFuture.runAsync(() -> {
			try {
				this.signal.await(LONG);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}, (task) -> new Thread(task).start());
	}

}
