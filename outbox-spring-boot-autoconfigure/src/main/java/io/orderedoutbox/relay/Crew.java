package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

	void awaitEnd() {
		long deadline = System.nanoTime() + this.stopTimeout.toNanos();
		for (Thread thread : this.threads) {
			try {
				thread.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (thread.isAlive()) {
				logger.atWarn()
					.addKeyValue("worker", thread.getName())
					.addKeyValue("timeout", this.stopTimeout)
					.log("{} did not end within {}: it is interrupted, and the messages in its hands stay in the outbox",
							thread.getName(), this.stopTimeout);
				thread.interrupt();
			}
		}
		logger.atInfo()
			.addKeyValue("state", "stopped")
			.addKeyValue("workers", this.threads.size())
			.log("Outbox relay stopped");
	}

}
