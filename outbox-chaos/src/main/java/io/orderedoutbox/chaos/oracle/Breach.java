/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.oracle;

/**
 * A kind of violation.
 */
public enum Breach {

	/**
	 * A committed message never arrived, or never had an effect.
	 */
	LOST,

	/**
	 * A message arrived, or had an effect, that was not committed.
	 */
	PHANTOM,

	/**
	 * A message arrived for the first time, or had its effect, after a later one of its
	 * key.
	 */
	OVERTAKEN,

	/**
	 * A message had more than one effect.
	 */
	PROCESSED_TWICE,

	/**
	 * Two messages of a key were processed at the same time.
	 */
	OVERLAPPED,

	/**
	 * A message arrived with another content than the first time, or than was published.
	 */
	ALTERED,

	/**
	 * A message arrived again, and nothing explains that.
	 */
	UNEXPLAINED_DUPLICATE,

	/**
	 * An attempt was counted for something that is not the message's fault.
	 */
	ATTEMPT,

	/**
	 * A business transaction or a handler failed although nothing was broken.
	 */
	REFUSAL,

	/**
	 * The ledger is not what the writers committed.
	 */
	LEDGER,

	/**
	 * A process ended by itself, logged an error, or did not end.
	 */
	PROCESS,

	/**
	 * The run did not come to its end.
	 */
	UNFINISHED

}
