package io.orderedoutbox.relay;

import java.util.function.BooleanSupplier;

/**
 * Where workers wait while their relay is paused, with nothing in their hands.
 */
final class Gate {

	private boolean closed;

	private int waiting;

	/**
	 * Close or open it.
	 * @return whether it was not so before
	 */
	synchronized boolean close(boolean close) {
		boolean changed = this.closed != close;
		this.closed = close;
		notifyAll();
		return changed;
	}

	synchronized boolean isClosed() {
		return this.closed;
	}

	/**
	 * How many wait.
	 */
	synchronized int waiting() {
		return this.waiting;
	}

	/**
	 * Let those who wait look again whether they still have to.
	 */
	synchronized void stir() {
		notifyAll();
	}

	/**
	 * Wait while it is closed.
	 * @param givenUp whether there is another reason to go on, after a {@link #stir()}
	 */
	synchronized void pass(BooleanSupplier givenUp) throws InterruptedException {
		if (!this.closed) {
			return;
		}
		this.waiting++;
		try {
			while (this.closed && !givenUp.getAsBoolean()) {
				wait();
			}
		}
		finally {
			this.waiting--;
		}
	}

}
