/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * What a relay is doing, all of it at one moment.
 *
 * @param state its state
 * @param pauses why it is paused or will be, nothing if it is not
 * @param outage why it cannot work, {@code null} if it can as far as is known; while it
 * is paused nothing is known
 * @param workers its workers, whether they run or not
 * @param published how many messages it has sent and taken out of the outbox since the
 * application began
 */
public record RelayStatus(RelayState state, Set<PauseScope> pauses, @Nullable Outage outage, List<Worker> workers,
		long published) {

	static RelayStatus stopped(Set<PauseScope> pauses, int workers, long published) {
		return new RelayStatus(RelayState.STOPPED, pauses, null,
				IntStream.rangeClosed(1, workers)
					.mapToObj((number) -> new Worker(number, WorkerState.STOPPED, 0, 0))
					.toList(),
				published);
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
		 * The worker has found nothing to do, or is looking.
		 */
		IDLE,

		/**
		 * The worker has claimed messages.
		 */
		BUSY,

		/**
		 * The worker waits for broker or store to come back.
		 */
		WAITING,

		/**
		 * The worker claims nothing until an operator lets it.
		 */
		PAUSED,

		/**
		 * The worker does not run.
		 */
		STOPPED

	}

}
