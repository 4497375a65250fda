/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

/**
 * A block of code in which events are published but not stored: for a replay of events
 * that have been stored before, such as those that an aggregate is built from again.
 * Ordinary listeners still get the events.
 * <p>
 * The block is bound to its thread. What was published before it or after it is stored,
 * also in the same transaction.
 */
public final class OutboxSuppression {

	private static final ThreadLocal<Boolean> ACTIVE = new ThreadLocal<>();

	private OutboxSuppression() {
	}

	/**
	 * Do some work, of which no event is stored.
	 * @param work the work
	 */
	public static void run(Runnable work) {
		call(() -> {
			work.run();
			return true;
		});
	}

	/**
	 * Do some work with a result, of which no event is stored.
	 * @param <T> the type of the result
	 * @param <E> what the work may throw
	 * @param work the work
	 * @return the result of the work
	 * @throws E if the work throws it
	 */
	public static <T, E extends Exception> T call(Work<T, E> work) throws E {
		boolean before = isActive();
		setActive(true);
		try {
			return work.call();
		}
		finally {
			setActive(before);
		}
	}

	/**
	 * Return whether this thread is in such a block.
	 * @return whether events are not stored
	 */
	public static boolean isActive() {
		return ACTIVE.get() != null;
	}

	/**
	 * Say whether this thread is in such a block: for code that hands work on to another
	 * thread. That code must afterwards call this again with what it was before.
	 * @param active whether events are not stored
	 */
	public static void setActive(boolean active) {
		if (active) {
			ACTIVE.set(true);
		}
		else {
			ACTIVE.remove();
		}
	}

	/**
	 * Work with a result.
	 *
	 * @param <T> the type of the result
	 * @param <E> what the work may throw
	 */
	@FunctionalInterface
	public interface Work<T, E extends Exception> {

		/**
		 * Do it.
		 * @return the result
		 * @throws E if the work cannot be done
		 */
		T call() throws E;

	}

}
