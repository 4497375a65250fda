/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * An outbox that is empty and keeps the order of partition keys, and what uses it: what
 * the author of a store writes, so that the contracts can drive it.
 */
public interface StoreUnderTest extends AutoCloseable {

	/**
	 * Return what messages are appended with. The contracts append in transactions of
	 * {@link #transactionManager()}, from several threads at a time.
	 * @return always the same store
	 */
	OutboxStore outboxStore();

	/**
	 * Return what manages the transactions in which messages are appended. The contracts
	 * need up to six at a time.
	 * @return always the same transaction manager
	 */
	PlatformTransactionManager transactionManager();

	/**
	 * Return an instance of an application that relays from the outbox, with as little to
	 * do with others as a process on another host.
	 * @return a new instance
	 */
	Instance instance();

	/**
	 * Remove the outbox and end all instances.
	 */
	@Override
	void close();

	/**
	 * An instance of an application that relays.
	 */
	interface Instance {

		/**
		 * Return where it finds messages. The contracts have up to three workers in an
		 * instance, each on a thread of its own. They call {@link RelayStore#refresh()}
		 * before they look for what may or may not be there, so that no poll interval
		 * need be waited for.
		 * @return always the same store
		 */
		RelayStore relayStore();

		/**
		 * End it as if its process had died: its claims are lost to it, and nothing that
		 * they have not committed has happened. Called while none of its workers is at
		 * work, by a thread that is none of theirs.
		 * @return {@code false} if the store has no such end, because all of it is in one
		 * process: the tests about that are skipped
		 */
		default boolean die() {
			return false;
		}

	}

}
