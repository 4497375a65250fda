/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Exclusive ownership of some partition keys, for as long as it is open and the store
 * does not lose the owner. When the process of the owner dies, the ownership ends at once
 * and nothing has changed.
 */
public interface Claim extends AutoCloseable {

	/**
	 * Return what was claimed.
	 * @return the sequences, at least one, each of another partition key
	 */
	List<KeySequence> sequences();

	/**
	 * Return whether there is likely to be something due that another worker can claim as
	 * long as this claim lasts.
	 * @return {@code true} if another claim is worth making at once
	 */
	boolean moreIsWaiting();

	/**
	 * Ask the store whether the ownership still stands, and keep it alive.
	 * @return {@code false} if it is lost: stop sending
	 */
	boolean renew();

	/**
	 * Return the time of the store while the claim was made.
	 * @return the time, or {@code null} if it is not known
	 */
	default @Nullable StoreTime time() {
		return null;
	}

	/**
	 * Return the partitions that the claim owns.
	 * @return the partitions, or nothing if the store has none
	 */
	default Set<Integer> partitions() {
		return Set.of();
	}

	/**
	 * Store what became of messages, as a part of the claim that is not visible before
	 * {@link #commit()}: what was published is removed, and attempts and errors are
	 * stored of what has failed. Can be called several times, each time for other
	 * messages.
	 * @param published positions of messages that the broker has taken
	 * @param failed messages that were not sent for a reason of their own
	 * @throws org.springframework.dao.DataAccessException if that was not possible:
	 * nothing of this call is stored. As long as {@link #renew()} returns {@code true}
	 * after that, the claim stands, and another call for fewer messages may succeed
	 */
	void settle(Collection<Long> published, Collection<FailedMessage> failed);

	/**
	 * Find out which messages something other than a claim has locked for now, so that
	 * the store would not settle them. The claim leaves these alone from then on. If it
	 * settles nothing else of their partitions, these are claimed again after a pause, or
	 * when something is committed to them.
	 * @return the positions of those that are locked, of all that the claim has read: not
	 * all of them need be messages that are to be sent; nothing if the store does not
	 * know
	 */
	default Set<Long> locked() {
		return Set.of();
	}

	/**
	 * Try out whether the store would settle messages and commit that, before any of them
	 * is sent, and undo it.
	 * @param settlement calls {@link #settle}
	 * @return {@code false} if the store cannot try anything out: nothing has happened
	 * @throws org.springframework.dao.DataAccessException if the store would not commit
	 */
	default boolean rehearse(Runnable settlement) {
		return false;
	}

	/**
	 * Make everything durable that was settled, and end the ownership; all of it or
	 * nothing. What was not settled stays in the outbox for a later claim.
	 */
	void commit();

	/**
	 * Do both at once.
	 * @param published positions of the messages that the broker has taken
	 * @param failed the messages that were not sent for a reason of their own
	 */
	default void complete(Collection<Long> published, Collection<FailedMessage> failed) {
		settle(published, failed);
		commit();
	}

	/**
	 * Commit while the broker has not answered for some messages, and keep nothing of the
	 * store meanwhile, such as a connection. As far as possible no other worker of the
	 * same instance gets the keys before this claim is closed; those of other instances
	 * may, and repeat what is in flight.
	 */
	default void suspend() {
		commit();
	}

	/**
	 * Store what became of messages after the claim was suspended, or after the store has
	 * refused to commit it, as far as no other worker owns their keys now. What is not
	 * stored is sent again.
	 * @param published positions of messages that the broker has taken
	 * @param failed messages that were not sent for a reason of their own
	 */
	default void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
	}

	/**
	 * End the ownership. What was not completed is claimable again, unchanged.
	 */
	@Override
	void close();

}
