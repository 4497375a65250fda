package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What the workers of a relay share between one start and the next stop.
 *
 * @param signal wakes those that are idle
 * @param outages says when broker or store are lost, and when they are back
 * @param suspects what has done harm lately
 * @param listener is told what they do
 * @param stop zero when everybody is to stop
 * @param gate closed while the relay is paused
 */
record Situation(RelaySignal signal, OutageLog outages, Suspects suspects, RelayListener listener, CountDownLatch stop,
		Gate gate) {

	boolean isStopping() {
		return this.stop.getCount() == 0;
	}

	/**
	 * Whether nothing more is to be claimed, for now or for ever.
	 */
	boolean isCalledOff() {
		return isStopping() || this.gate.isClosed();
	}

	/**
	 * Wait, but not beyond a stop.
	 */
	void waitOut(Duration delay) throws InterruptedException {
		this.stop.await(delay.toNanos(), TimeUnit.NANOSECONDS);
	}

}
