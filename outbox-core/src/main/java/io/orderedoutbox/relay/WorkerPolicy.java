/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

/**
 * What a worker does where a relay that goes on until it is stopped and a relay that
 * drains the outbox once differ: when there is nothing to do, and when something fails.
 * Each worker has a policy of its own, and only its thread uses it.
 * <p>
 * A worker calls {@link #awaitTurn}, then {@link #begin}, and then exactly one of
 * {@link #ended}, {@link #nothingFound} and {@link #failed}; {@code failed} also when one
 * of the others has thrown something.
 */
interface WorkerPolicy {

	/**
	 * Wait for as long as the worker must not claim.
	 * @return whether the worker goes on
	 */
	boolean awaitTurn(RelayWorker worker) throws InterruptedException;

	/**
	 * The worker begins to look for messages.
	 * @return whether any may be sent
	 */
	boolean begin(RelayWorker worker);

	/**
	 * Ask whether nothing more is to be sent.
	 */
	boolean isOver();

	/**
	 * Ask for leave to send messages.
	 * @param messages how many were claimed
	 * @return how many of them may be sent
	 */
	int grant(int messages);

	/**
	 * There is something that another worker can claim.
	 */
	void wakeAnother();

	/**
	 * A batch has ended.
	 */
	void ended(RelayWorker worker, EndedBatch batch) throws InterruptedException;

	/**
	 * The worker has found nothing that may be sent.
	 */
	void nothingFound(RelayWorker worker) throws InterruptedException;

	/**
	 * Something has failed. What was not completed stays in the outbox.
	 */
	void failed(RelayWorker worker, Throwable failure) throws InterruptedException;

	/**
	 * The thread of the worker was interrupted, and ends.
	 */
	default void interrupted() {
	}

}
