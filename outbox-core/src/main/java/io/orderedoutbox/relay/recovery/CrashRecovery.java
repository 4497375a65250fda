/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.DelegatingRelayStore;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.SendingJournal;

/**
 * Makes a message that ends the process which sends it spend attempts, so that it is
 * given up as any other that fails. Without that it would be sent for ever, by one
 * process after the other.
 * <ol>
 * <li>The first claim asks the {@link SendingJournal} whether an instance has ended
 * without a farewell. If none has, nothing further happens.</li>
 * <li>If one has, the first claim of each partition is noted in the journal before it is
 * sent. Should the process end now, the next one finds a list of suspects.</li>
 * <li>A suspect is sent in a group of a sixteenth of the list that it was on. One group
 * at a time is tested, and as long as that lasts it is all that is noted. After a few
 * processes there is a list with one message. What is not suspect is sent beside a group
 * as always; a suspect that has to wait for its turn keeps back only its own key.</li>
 * <li>A message that was alone on a list is not sent, but fails, and spends an attempt:
 * on one of the instances that have read the list. When it is due again it is tested
 * alone.</li>
 * <li>A suspect is none any more when the broker has answered for it, or when the broker
 * is silent and the process lives: then its claim is suspended, and the next group has
 * its turn.</li>
 * </ol>
 * All of it can be wrong harmlessly. Nothing of it decides about the order: a claim
 * becomes shorter, each of its sequences from the end.
 * <p>
 * Not guaranteed: that each such end is counted. An instance that runs does not learn
 * that another one has ended, and the claims of a store without partitions are never
 * noted. If the journal cannot be written while a claim is open, because the pool has no
 * further connection, this process notes nothing any more. Nor is it guaranteed that an
 * attempt was spent for a reason: a process that is killed from outside while a message
 * is tested alone looks the same.
 */
public final class CrashRecovery {

	private final SendingNote note;

	private final AtomicInteger workers = new AtomicInteger();

	/**
	 * Create it.
	 * @param journal where is noted what is being sent
	 */
	public CrashRecovery(SendingJournal journal) {
		this.note = new SendingNote(journal);
	}

	/**
	 * Return a store whose claims are noted where that is needed.
	 * @param store where messages are claimed
	 * @return a store in front of it
	 */
	public RelayStore around(RelayStore store) {
		return new DelegatingRelayStore(store) {

			@Override
			public Claims claims() {
				CrashRecovery.this.workers.incrementAndGet();
				return new RecoveringClaims(store.claims(), CrashRecovery.this.note,
						CrashRecovery.this.workers::decrementAndGet);
			}

		};
	}

	/**
	 * Return whether all workers have ended. If one has not when the application ends,
	 * what it sends may be the reason.
	 * @return whether none is left
	 */
	public boolean isIdle() {
		return this.workers.get() == 0;
	}

}
