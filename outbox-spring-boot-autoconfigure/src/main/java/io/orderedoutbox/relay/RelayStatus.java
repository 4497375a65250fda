package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * What a relay is doing.
 *
 * @param running whether it runs
 * @param outage why it cannot work, {@code null} if it can as far as is known
 * @param workers its workers, whether they run or not
 */
public record RelayStatus(boolean running, @Nullable Outage outage, List<Worker> workers) {

	static RelayStatus stopped(int workers) {
		return new RelayStatus(false, null,
				IntStream.rangeClosed(1, workers)
					.mapToObj((number) -> new Worker(number, WorkerState.STOPPED, 0, 0))
					.toList());
	}

	/**
	 * Why broker or store cannot be used.
	 *
	 * @param reason what they said
	 * @param duration for how long this has been so
	 */
	public record Outage(String reason, Duration duration) {

	}

	/**
	 * What a worker is doing.
	 *
	 * @param number its number, from one on
	 * @param state its state
	 * @param batches how many batches it has ended since it was started
	 * @param keysInHand how many partition keys it has claimed at the moment
	 */
	public record Worker(int number, WorkerState state, long batches, int keysInHand) {

	}

	/**
	 * Whether a worker has something to do.
	 */
	public enum WorkerState {

		/**
		 * It has found nothing to do, or is looking.
		 */
		IDLE,

		/**
		 * It has messages in its hands.
		 */
		BUSY,

		/**
		 * It waits for broker or store to come back.
		 */
		WAITING,

		/**
		 * It does not run.
		 */
		STOPPED

	}

}
