package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Wakes idle workers. A signal given while nobody waits is kept for the next who does,
 * but only one: whoever wakes takes all that is there.
 */
public final class RelaySignal {

	private final Semaphore signals = new Semaphore(0);

	private final AtomicInteger waiting = new AtomicInteger();

	/**
	 * Wake one worker, now or when it next wants to wait. Costs next to nothing.
	 */
	public void wake() {
		if (this.signals.availablePermits() == 0) {
			this.signals.release();
		}
	}

	/**
	 * Wake all who wait.
	 */
	void wakeAll() {
		this.signals.release(this.waiting.get());
	}

	/**
	 * Wait for a signal.
	 * @param calledOff whether there is no reason to wait: whoever makes it true, and
	 * then wakes all, is not missed
	 * @return whether there was one
	 */
	boolean await(Duration timeout, BooleanSupplier calledOff) throws InterruptedException {
		this.waiting.incrementAndGet();
		try {
			return !calledOff.getAsBoolean() && this.signals.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
		}
		finally {
			this.waiting.decrementAndGet();
		}
	}

}
