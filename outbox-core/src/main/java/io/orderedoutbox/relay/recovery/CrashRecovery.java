package io.orderedoutbox.relay.recovery;

import java.util.Set;

import io.orderedoutbox.store.Claims;
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
 * <li>Suspects are sent in groups of a sixteenth of the list they were on, each group
 * noted on its own. After a few processes there is a list with one message.</li>
 * <li>A message that was alone on a list is not sent, but fails, and spends an attempt.
 * When it is due again it is sent alone, and noted.</li>
 * </ol>
 * One claim at a time is noted, so that a message is alone when it seems to be. Claims
 * that need not be noted go on beside it: when one of them ends the process, a message
 * that happened to be noted may spend an attempt for nothing.
 * <p>
 * Not guaranteed: that each such end is counted. An instance that runs does not learn
 * that another one has ended, and the claims of a store without partitions are never
 * noted.
 */
public final class CrashRecovery {

	private final SendingJournal journal;

	private final Suspects suspects;

	/**
	 * Create it.
	 * @param journal where is noted what is being sent
	 */
	public CrashRecovery(SendingJournal journal) {
		this.journal = journal;
		this.suspects = new Suspects(journal);
	}

	/**
	 * Return a store whose claims are noted where that is needed.
	 * @param store where messages are claimed
	 * @return a store in front of it
	 */
	public RelayStore around(RelayStore store) {
		return new RelayStore() {

			@Override
			public Claims claims() {
				CrashRecovery.this.suspects.join();
				return new RecoveringClaims(store.claims(), CrashRecovery.this.suspects, CrashRecovery.this.journal);
			}

			@Override
			public void committed(Set<Integer> partitions) {
				store.committed(partitions);
			}

			@Override
			public void refresh() {
				store.refresh();
			}

		};
	}

	/**
	 * Return whether all workers have ended. If one has not when the application ends,
	 * what it sends may be the reason.
	 * @return whether none is left
	 */
	public boolean isIdle() {
		return this.suspects.isIdle();
	}

}
