package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Relays messages from the store to the broker for as long as the application runs.
 * <p>
 * Any number of relays may run on any number of instances: what one of them has claimed,
 * no other touches. Guaranteed: after {@link #stop()} this instance sends nothing more.
 * Messages in flight are waited for, up to the stop timeout; what was not confirmed by
 * then is sent again by another instance or after the next start.
 */
public final class OutboxRelay implements SmartLifecycle {

	/**
	 * The phase: up before the web server takes requests, down after it has drained them.
	 */
	public static final int DEFAULT_PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	private static final Logger logger = LoggerFactory.getLogger(OutboxRelay.class);

	private final ReentrantLock lifecycle = new ReentrantLock();

	private final RelayStore store;

	private final MessageSender sender;

	private final RelaySignal signal;

	private final RelaySettings settings;

	private final RelayListener listener;

	private @Nullable Crew crew;

	/**
	 * Create a relay.
	 * @param store where messages are claimed
	 * @param sender where they are sent
	 * @param signal wakes idle workers
	 * @param settings how many workers, and what they go by
	 * @param listeners are told what it does
	 */
	public OutboxRelay(RelayStore store, MessageSender sender, RelaySignal signal, RelaySettings settings,
			List<RelayListener> listeners) {
		this.store = store;
		this.sender = sender;
		this.signal = signal;
		this.settings = settings;
		this.listener = new RelayListeners(listeners);
	}

	@Override
	public void start() {
		this.lifecycle.lock();
		try {
			if (this.crew == null) {
				Crew started = new Crew();
				started.start();
				this.crew = started;
				logger.atInfo()
					.addKeyValue("workers", this.settings.workers())
					.log("Outbox relay started with {} workers", this.settings.workers());
			}
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public void stop() {
		Crew stopped = dismiss();
		if (stopped != null) {
			stopped.awaitEnd();
		}
	}

	@Override
	public void stop(Runnable callback) {
		Crew stopped = dismiss();
		if (stopped == null) {
			callback.run();
			return;
		}
		new Thread(() -> {
			try {
				stopped.awaitEnd();
			}
			finally {
				callback.run();
			}
		}, "outbox-relay-stop").start();
	}

	private @Nullable Crew dismiss() {
		this.lifecycle.lock();
		try {
			Crew stopped = this.crew;
			this.crew = null;
			if (stopped != null) {
				stopped.tellToStop();
			}
			return stopped;
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public boolean isRunning() {
		return status().running();
	}

	/**
	 * Return why this relay cannot work at the moment.
	 * @return what broker or database said, or {@code null} if both work as far as is
	 * known, or if the relay does not run
	 */
	public @Nullable String outage() {
		Outage outage = status().outage();
		return (outage != null) ? outage.reason() : null;
	}

	/**
	 * Return what this relay is doing at the moment.
	 * @return its state and that of its workers
	 */
	public RelayStatus status() {
		this.lifecycle.lock();
		try {
			return (this.crew != null) ? this.crew.status() : RelayStatus.stopped(this.settings.workers());
		}
		finally {
			this.lifecycle.unlock();
		}
	}

	@Override
	public boolean isAutoStartup() {
		return this.settings.autoStartup();
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

	/**
	 * What a relay goes by.
	 *
	 * @param autoStartup whether it starts with the application
	 * @param workers number of threads, each with a connection to the store and a channel
	 * to the broker while it works
	 * @param stopTimeout how long a stop waits for messages in flight
	 * @param worker what each worker goes by
	 */
	public record RelaySettings(boolean autoStartup, int workers, Duration stopTimeout, WorkerSettings worker) {

	}

	/**
	 * The workers between one start and the next stop.
	 */
	private final class Crew {

		private final Situation situation;

		private final List<RelayWorker> workers = new ArrayList<>();

		private final List<Thread> threads = new ArrayList<>();

		Crew() {
			WorkerSettings worker = OutboxRelay.this.settings.worker();
			this.situation = new Situation(OutboxRelay.this.signal, new OutageLog(),
					new Suspects(worker.retry().backOff()), OutboxRelay.this.listener, new CountDownLatch(1));
			for (int number = 1; number <= OutboxRelay.this.settings.workers(); number++) {
				this.workers.add(new RelayWorker(number, OutboxRelay.this.store.claims(), OutboxRelay.this.sender,
						worker, this.situation));
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

		void tellToStop() {
			this.situation.stop().countDown();
			this.situation.signal().wakeAll(this.workers.size());
			this.workers.forEach(RelayWorker::interruptUnlessSending);
		}

		void awaitEnd() {
			long deadline = System.nanoTime() + OutboxRelay.this.settings.stopTimeout().toNanos();
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
							thread.getName(), OutboxRelay.this.settings.stopTimeout());
					thread.interrupt();
				}
			}
			logger.info("Outbox relay stopped");
		}

	}

}
