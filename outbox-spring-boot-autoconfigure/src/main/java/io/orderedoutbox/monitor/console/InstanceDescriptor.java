/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.RelayWorkerStatus;
import io.orderedoutbox.monitor.Names;
import io.orderedoutbox.monitor.console.OverviewDescriptor.RelayDescriptor;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import org.jspecify.annotations.Nullable;

/**
 * An instance of the application.
 *
 * @param host the name of its host
 * @param pid its process
 * @param startedAt when it began
 * @param self whether it is the one that answers
 * @param state of its relay: off, stopped, running, pausing or paused
 * @param relay its relay, {@code null} if another instance is to be asked for it
 * @param workers what its workers are doing, or were when it last said so
 * @param silenceMillis how long ago that was; an instance that died has a long one until
 * it is removed
 */
public record InstanceDescriptor(String host, long pid, Instant startedAt, boolean self, String state,
		@Nullable RelayDescriptor relay, List<WorkerDescriptor> workers, long silenceMillis) {

	static InstanceDescriptor other(List<RelayWorkerStatus> workers) {
		RelayWorkerStatus any = workers.get(0);
		return new InstanceDescriptor(any.host(), any.pid(), any.startedAt(), false, state(workers), null,
				workers.stream().map(WorkerDescriptor::of).toList(), millis(any.silence()));
	}

	// What the relay of another instance is doing is seen by its workers
	private static String state(List<RelayWorkerStatus> workers) {
		Set<String> states = workers.stream().map(RelayWorkerStatus::state).collect(Collectors.toSet());
		String paused = Names.of(WorkerState.PAUSED);
		String stopped = Names.of(WorkerState.STOPPED);
		if (states.equals(Set.of(stopped))) {
			return Names.of(RelayState.STOPPED);
		}
		if (states.contains(paused)) {
			return Names.of((states.size() == 1) ? RelayState.PAUSED : RelayState.PAUSING);
		}
		return Names.of(RelayState.RUNNING);
	}

	// By the clock of the database, which may have been put back
	private static long millis(Duration silence) {
		return Math.max(0, silence.toMillis());
	}

	/**
	 * A worker of a relay.
	 *
	 * @param id its number within its instance, from one on
	 * @param state idle, busy, waiting for broker or database, paused or stopped
	 * @param batches how many batches it has ended since the relay was started
	 * @param keysInHand how many partition keys it has claimed
	 */
	public record WorkerDescriptor(int id, String state, long batches, int keysInHand) {

		static WorkerDescriptor of(RelayWorkerStatus worker) {
			return new WorkerDescriptor(worker.id(), worker.state(), worker.batches(), worker.keysInHand());
		}

		static WorkerDescriptor of(Worker worker) {
			return new WorkerDescriptor(worker.number(), Names.of(worker.state()), worker.batches(),
					worker.keysInHand());
		}

	}

}
