package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import io.orderedoutbox.relay.OutboxRelay.RelaySettings;
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

	RelayStatus status() {
		return new RelayStatus(true, this.situation.outages().outage(),
				this.workers.stream().map(RelayWorker::seen).toList());
	}

	/**
	 * Whether all wait at the gate, with nothing in their hands.
	 */
	boolean isAtRest() {
		return this.situation.gate().waiting() == this.workers.size();
	}

	void tellToStop() {
		this.situation.stop().countDown();
		this.situation.signal().wakeAll(this.workers.size());
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
				logger.warn(
						"{} did not end within {}: it is interrupted, and the messages in its hands stay in the outbox",
						thread.getName(), this.stopTimeout);
				thread.interrupt();
			}
		}
		logger.info("Outbox relay stopped");
	}

}
