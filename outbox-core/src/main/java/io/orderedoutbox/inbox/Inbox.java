/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

/**
 * Processes each message once, whatever it comes from. {@link ProcessOnce} does it for
 * listeners.
 */
public interface Inbox {

	/**
	 * Do some work unless it was done. Work and record are committed together, in the
	 * transaction that is open on this thread, or else in a new one. In a new one, the
	 * work is done again after a deadlock, a lock timeout, or an optimistic lock that
	 * failed: three times at most.
	 * @param <E> what the work throws
	 * @param consumer the name of the consumer: letters, digits, dots, hyphens and
	 * underscores, at most 100
	 * @param messageId the id of the message, at most 255 bytes in UTF-8, not empty.
	 * Upper and lower case differ
	 * @param work the work
	 * @return whether the work was done; {@code false} if it had been done before
	 * @throws E what the work throws: everything was rolled back, or the transaction that
	 * was open is to be. What a callback after the commit throws comes out as well: then
	 * work and record are committed
	 * @throws IllegalArgumentException if a name or an id is not valid
	 * @throws org.springframework.dao.DataAccessException if the record could not be
	 * stored: nothing was done
	 */
	<E extends Throwable> boolean process(String consumer, String messageId, Work<E> work) throws E;

	/**
	 * What is to be done once.
	 *
	 * @param <E> what it throws
	 */
	@FunctionalInterface
	interface Work<E extends Throwable> {

		/**
		 * Do it.
		 * @throws E anything: the transaction is rolled back
		 */
		void run() throws E;

	}

}
