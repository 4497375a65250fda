package io.orderedoutbox.relay;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whoever waits for a preparation waits for no longer than it lasts, or he may.
 */
@Tag("unit")
@Timeout(30)
@ExtendWith(OutputCaptureExtension.class)
class PreparationTests {

	private final Preparation preparation = new Preparation();

	private final CountDownLatch end = new CountDownLatch(1);

	@Test
	void itIsDoneByAnotherThreadThatTellsWhoseItIs() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		this.preparation.begin(() -> thread.set(Thread.currentThread()));
		this.preparation.await();
		assertThat(thread.get().getName()).isEqualTo(Thread.currentThread().getName() + "-ahead");
		assertThat(thread.get().isDaemon()).isTrue();
	}

	@Test
	void whoWaitsForItCanBeInterrupted() {
		this.preparation.begin(this::awaitEnd);
		Thread.currentThread().interrupt();
		this.preparation.await();
		assertThat(Thread.interrupted()).isTrue();
		this.end.countDown();
	}

	@Test
	void whoWaitsDoesSoUntilItIsOver() {
		AtomicBoolean over = new AtomicBoolean();
		this.preparation.begin(() -> {
			awaitEnd();
			over.set(true);
		});
		this.preparation.begin(null);
		CompletableFuture.runAsync(this.end::countDown, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
		this.preparation.await();
		assertThat(over).isTrue();
	}

	@Test
	void oneThatFailsSaysSoInTheLogOnly(CapturedOutput output) {
		this.preparation.begin(() -> {
			throw new DataAccessResourceFailureException("the database is away");
		});
		this.preparation.await();
		assertThat(output).doesNotContain("Exception in thread");
	}

	@Test
	void whereThereIsNoneNobodyWaits() {
		this.preparation.begin(null);
		this.preparation.await();
	}

	private void awaitEnd() {
		try {
			this.end.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
