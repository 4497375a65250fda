package io.orderedoutbox.relay;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.orderedoutbox.relay.RelayBatch.Published;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.StoredMessage;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;

/**
 * Keeps the workers of a relay from sending again and again what the store does not let
 * them complete.
 * <ol>
 * <li>The store has refused to store anything about a message that was sent: the
 * partitions of its claim are in doubt.</li>
 * <li>A worker has claimed a partition in doubt: before it sends anything, it settles the
 * messages as if they had been published, and undoes that.</li>
 * <li>The store would settle all of them: the partitions are in doubt no longer.</li>
 * <li>It would settle some: the worker sends these, and nothing that is behind another
 * message of the same key.</li>
 * <li>It would settle none: that is an outage of the store, and nothing is sent.</li>
 * </ol>
 * So a message is sent once more at most. A partition that is not in doubt costs nothing.
 */
final class Rehearsals {

	private final FailurePolicy policy;

	private final Set<Integer> inDoubt = ConcurrentHashMap.newKeySet();

	Rehearsals(FailurePolicy policy) {
		this.policy = policy;
	}

	/**
	 * The store has refused to store anything about a message of a claim.
	 */
	void refused(Claim claim) {
		this.inDoubt.addAll(claim.partitions());
	}

	/**
	 * What may be sent of a claim.
	 * @throws TransientDataAccessResourceException if nothing may be sent
	 */
	Claim sendable(Claim claim) {
		if (Collections.disjoint(this.inDoubt, claim.partitions())) {
			return claim;
		}
		List<StoredMessage> messages = claim.sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.toList();
		Settlement settlement = Settlement.rehearsed(claim, this.policy);
		Set<Long> settled = rehearse(claim, messages, settlement);
		if (settled.size() == messages.size()) {
			this.inDoubt.removeAll(claim.partitions());
			return claim;
		}
		Portion portion = Portion.of(claim, settled);
		if (portion.size() == 0) {
			throw outage(settlement);
		}
		return portion;
	}

	private static Set<Long> rehearse(Claim claim, List<StoredMessage> messages, Settlement settlement) {
		List<Long> ids = messages.stream().map(StoredMessage::id).toList();
		Set<Long> locked = claim.locked(ids);
		List<Published> free = messages.stream()
			.filter((message) -> !locked.contains(message.id()))
			.map((message) -> new Published(message, 0))
			.toList();
		Set<Long> settled = new HashSet<>();
		try {
			if (!claim.rehearse(() -> settlement.settle(free, List.of()))) {
				return new HashSet<>(ids);
			}
			settlement.failed().forEach((failed) -> settled.add(failed.message().id()));
		}
		catch (DataAccessException ex) {
			// What has failed could not be parked
			if (!Settlement.isRefusal(claim, ex)) {
				throw ex;
			}
		}
		settlement.published().forEach((published) -> settled.add(published.message().id()));
		return settled;
	}

	private static TransientDataAccessResourceException outage(Settlement settlement) {
		DataAccessException refusal = settlement.refusal();
		String reason = (refusal != null) ? ErrorText.of(refusal.getMostSpecificCause())
				: "another session has locked their rows";
		TransientDataAccessResourceException outage = new TransientDataAccessResourceException(
				"The database does not let the relay complete messages, so that it does not send them: " + reason
						+ ". Grant the right that is missing, repair the table or the trigger that refuses, or end the session that holds the lock");
		if (refusal != null) {
			outage.addSuppressed(refusal);
		}
		return outage;
	}

}
