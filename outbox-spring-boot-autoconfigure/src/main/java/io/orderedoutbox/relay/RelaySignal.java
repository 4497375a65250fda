package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes idle workers. A signal given while nobody waits is kept for the next who does,
 * but only one: whoever wakes takes all that is there.
 */
public final class RelaySignal {

	private final Semaphore signals = new Semaphore(0);

	/**
	 * Wake one worker, now or when it next wants to wait. Costs next to nothing.
	 */
	public void wake() {
		if (this.signals.availablePermits() == 0) {
			this.signals.release();
		}
	}

	void wakeAll(int workers) {
		this.signals.release(workers);
	}

	/**
	 * Wait for a signal.
	 * @return whether there was one
	 */
	boolean await(Duration timeout) throws InterruptedException {
		return this.signals.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
	}

}
