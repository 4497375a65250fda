/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.send;

import org.slf4j.MDC;

/**
 * Which of several outboxes a thread works for, in the MDC: every line that the thread
 * logs meanwhile, from any class, carries it. A thread that is made within the scope is
 * called like the outbox, and works in the same scope. Outside of any scope there is only
 * one outbox, and nothing has its name.
 */
public final class OutboxScope {

	/**
	 * The key in the MDC.
	 */
	public static final String OUTBOX = "outbox";

	private static final String PREFIX = "outbox-";

	private OutboxScope() {
	}

	/**
	 * Do some work for an outbox. The scope that the thread had before is there again
	 * afterwards.
	 * @param outbox the name of the outbox
	 * @param work what is done, and may throw
	 * @return what it returns
	 * @throws E what the work throws
	 */
	public static <T, E extends Exception> T call(String outbox, Work<T, E> work) throws E {
		String before = MDC.get(OUTBOX);
		MDC.put(OUTBOX, outbox);
		try {
			return work.call();
		}
		finally {
			if (before != null) {
				MDC.put(OUTBOX, before);
			}
			else {
				MDC.remove(OUTBOX);
			}
		}
	}

	/**
	 * Do some work for an outbox.
	 * @param outbox the name of the outbox
	 * @param work what is done, and may throw
	 */
	public static void run(String outbox, Runnable work) {
		call(outbox, () -> {
			work.run();
			return true;
		});
	}

	/**
	 * Return how something is called within the scope of the calling thread.
	 * @param label the name that it has where there is only one outbox, which begins with
	 * {@code outbox-}
	 * @return {@code outbox-billing-relay} for {@code outbox-relay} of the outbox
	 * {@code billing}
	 */
	public static String label(String label) {
		String outbox = MDC.get(OUTBOX);
		return (outbox != null && label.startsWith(PREFIX)) ? PREFIX + outbox + "-" + label.substring(PREFIX.length())
				: label;
	}

	/**
	 * Make a thread that works in the scope of the calling thread. It is not started.
	 * @param work what it does
	 * @param label its name where there is only one outbox
	 * @return the thread
	 */
	public static Thread thread(Runnable work, String label) {
		String outbox = MDC.get(OUTBOX);
		return new Thread((outbox != null) ? () -> run(outbox, work) : work, label(label));
	}

	/**
	 * What is done in a scope.
	 *
	 * @param <T> what it returns
	 * @param <E> what it throws
	 */
	@FunctionalInterface
	public interface Work<T, E extends Exception> {

		/**
		 * Do it.
		 * @return the result
		 * @throws E if it fails
		 */
		T call() throws E;

	}

}
