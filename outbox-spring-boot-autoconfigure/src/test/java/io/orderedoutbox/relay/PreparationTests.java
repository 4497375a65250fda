package io.orderedoutbox.relay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whoever waits for a preparation waits for no longer than it lasts, or he may.
 */
@Tag("unit")
@Timeout(30)
class PreparationTests {

	private final Preparation preparation = new Preparation();

	private final CountDownLatch end = new CountDownLatch(1);

	@Test
	void itIsDoneByAnotherThreadThatTellsWhoseItIs() throws InterruptedException {
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
		assertThatExceptionOfType(InterruptedException.class).isThrownBy(this.preparation::await);
		this.end.countDown();
		assertThatCode(this.preparation::await).doesNotThrowAnyException();
	}

	@Test
	void whatGoesWrongIsThrownOnce() {
		this.preparation.begin(() -> {
			throw new DataAccessResourceFailureException("the database is away");
		});
		assertThatExceptionOfType(DataAccessResourceFailureException.class).isThrownBy(this.preparation::await);
		assertThatCode(this.preparation::await).doesNotThrowAnyException();
	}

	@Test
	void forWhatNobodyWantsNobodyWaits() {
		this.preparation.begin(this::awaitEnd);
		this.preparation.forget();
		assertThatCode(this.preparation::await).doesNotThrowAnyException();
		this.end.countDown();
	}

	@Test
	void whereThereIsNoneNobodyWaits() {
		this.preparation.begin(null);
		assertThatCode(this.preparation::await).doesNotThrowAnyException();
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
