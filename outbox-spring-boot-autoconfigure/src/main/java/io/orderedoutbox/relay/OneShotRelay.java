package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;

/**
 * Relays what is due, and then is done. It claims as {@link OutboxRelay} does, so that
 * both may run at the same time, on the same outbox.
 * <p>
 * Guaranteed: when it has drained, every message that was due before it began, and whose
 * key nobody else had claimed, was tried. An outage ends it at once; what it could not
 * send stays in the outbox and has spent no attempt.
 */
public final class OneShotRelay {

	private final RelayStore store;

	private final MessageSender sender;

	private final OneShotSettings settings;

	private final RelayListener listener;

	private volatile @Nullable Shift shift;

	/**
	 * Create a relay.
	 * @param store where messages are claimed: one that looks everywhere before it finds
	 * nothing
	 * @param sender where they are sent
	 * @param settings how many workers, and what they go by
	 * @param listeners are told what it does
	 */
	public OneShotRelay(RelayStore store, MessageSender sender, OneShotSettings settings,
			List<RelayListener> listeners) {
		this.store = store;
		this.sender = sender;
		this.settings = settings;
		this.listener = new RelayListeners(listeners);
	}

	/**
	 * Relay until nothing is due any more, or a limit is reached, or something is lost.
	 * @param listener is told of every batch, of one at a time
	 * @return what was done
	 * @throws InterruptedException if the calling thread was interrupted
	 */
	public OneShotResult drain(Consumer<Batch> listener) throws InterruptedException {
		Shift own = new Shift(new Drain(this.settings, listener), new ArrayList<>(), new CountDownLatch(1));
		this.shift = own;
		Means means = new Means(this.settings.worker(), new Suspects(this.settings.worker().retry().backOff()),
				this.listener);
		try {
			for (int number = 1; number <= this.settings.workers(); number++) {
				OneShotWorker worker = new OneShotWorker(number, this.store.claims(), this.sender, own.drain(), means);
				Thread thread = new Thread(worker, "outbox-relay-" + number);
				thread.start();
				own.threads().add(thread);
			}
			for (Thread thread : own.threads()) {
				thread.join();
			}
			return own.drain().result();
		}
		finally {
			own.drain().end(Ending.STOPPED, "interrupted");
			own.ended().countDown();
		}
	}

	/**
	 * Send nothing more, and wait for messages in flight, up to the stop timeout. Without
	 * effect on a run that has ended.
	 */
	public void stop() {
		Shift current = this.shift;
		if (current == null) {
			return;
		}
		current.drain().end(Ending.STOPPED, "told to stop");
		try {
			if (!current.ended().await(this.settings.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
				current.threads().forEach(Thread::interrupt);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * What the workers have in common.
	 *
	 * @param settings what they go by
	 * @param suspects what has done harm lately
	 * @param listener is told what they do
	 */
	record Means(WorkerSettings settings, Suspects suspects, RelayListener listener) {

	}

	/**
	 * One run.
	 */
	private record Shift(Drain drain, List<Thread> threads, CountDownLatch ended) {

	}

}
