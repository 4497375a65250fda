package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a relay between one start and the next stop.
 */
final class Crew {

	private static final Logger logger = LoggerFactory.getLogger(OutboxRelay.class);

	private final Situation situation;

	private final Duration stopTimeout;

	private final List<RelayWorker> workers = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	Crew(RelaySettings settings, Situation situation, IntFunction<RelayWorker> worker) {
		this.situation = situation;
		this.stopTimeout = settings.stopTimeout();
		for (int number = 1; number <= settings.workers(); number++) {
			this.workers.add(worker.apply(number));
		}
	}

	void start() {
		try {
			for (RelayWorker worker : this.workers) {
				Thread thread = new Thread(worker, "outbox-relay-" + (this.threads.size() + 1));
				thread.start();
				this.threads.add(thread);
			}
		}
		catch (RuntimeException | Error ex) {
			tellToStop();
			throw ex;
		}
	}

	RelayStatus status(long published) {
		return this.situation.gate().look((pauses) -> {
			List<Worker> seen = this.workers.stream().map(RelayWorker::seen).toList();
			boolean atRest = seen.stream().allMatch((worker) -> worker.state() == WorkerState.PAUSED);
			RelayState paused = atRest ? RelayState.PAUSED : RelayState.PAUSING;
			Outage outage = atRest ? null : this.situation.outages().outage();
			return new RelayStatus(pauses.isEmpty() ? RelayState.RUNNING : paused, pauses, outage, seen, published);
		});
	}

	/**
	 * Forget why they could not work, if they have not tried for a while.
	 */
	void beginAnew() {
		if (status(0).state() == RelayState.PAUSED) {
			this.situation.outages().forget();
		}
	}

	void tellToStop() {
		this.situation.stop().countDown();
		this.situation.signal().wakeAll();
		this.situation.gate().stir();
		this.workers.forEach(RelayWorker::interruptUnlessSending);
	}

	boolean isToldToStop() {
		return this.situation.isStopping();
	}

	/**
	 * Return when all have ended, or the time is over.
	 */
	void awaitEnd() {
		long deadline = System.nanoTime() + this.stopTimeout.toNanos();
		boolean interrupted = false;
		for (Thread thread : this.threads) {
			// A listener may stop the relay that has called it
			if (thread != Thread.currentThread()) {
				interrupted |= await(thread, deadline);
				if (thread.isAlive()) {
					giveUp(thread);
				}
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	// Whether the caller was interrupted. That does not shorten it: what is in flight
	// would be cut off, and sent again
	private static boolean await(Thread thread, long deadline) {
		boolean interrupted = Thread.interrupted();
		long left = deadline - System.nanoTime();
		while (left > 0 && thread.isAlive()) {
			try {
				TimeUnit.NANOSECONDS.timedJoin(thread, left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			left = deadline - System.nanoTime();
		}
		return interrupted;
	}

	private void giveUp(Thread thread) {
		logger.atWarn()
			.addKeyValue("worker", thread.getName())
			.addKeyValue("timeout", this.stopTimeout)
			.log("{} did not end within {}: it is interrupted, and the messages in its hands stay in the outbox",
					thread.getName(), this.stopTimeout);
		thread.interrupt();
	}

}
