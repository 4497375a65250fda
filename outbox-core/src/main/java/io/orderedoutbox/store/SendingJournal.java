/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Where an instance notes which messages it is about to send, after another instance has
 * ended without a farewell: should sending one of them end this process as well, the next
 * one knows which it may have been.
 */
public interface SendingJournal {

	/**
	 * Say that this instance is about to send, and return what instances noted that have
	 * ended without a farewell.
	 * @return for each of them the positions that it noted last, empty if it noted
	 * nothing; nothing at all if every instance is alive or has ended as it should
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	List<Set<Long>> left();

	/**
	 * Note what is about to be sent, in place of what this instance noted before. Is
	 * durable when it returns.
	 * @param positions the positions of the messages, none if nothing is being sent any
	 * more
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached:
	 * what was noted before is removed later
	 */
	void note(Collection<Long> positions);

	/**
	 * Forget that a message was the only one that an instance noted last: it is to spend
	 * an attempt for that.
	 * @param position the position of the message
	 * @return whether it was still known: {@code false} if another instance has forgotten
	 * it already
	 * @throws org.springframework.dao.DataAccessException if the store cannot be reached
	 */
	boolean forget(long position);

}
