/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.orderedoutbox.relay.batch.RelayBatch.Published;
import io.orderedoutbox.store.Claim;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;

/**
 * Keeps the workers of a relay from sending again and again what the store does not let
 * them complete.
 * <ol>
 * <li>The store has refused to store anything about a message that was sent: the
 * partitions of its claim are in doubt.</li>
 * <li>A worker has claimed a partition in doubt. What something else has locked is not
 * sent, nor what is behind it of the same key. If nothing else is left, the worker goes
 * on with other partitions.</li>
 * <li>Before the worker sends anything else, it settles the messages as if they had been
 * published, and undoes that.</li>
 * <li>The store would settle all of them, and has locked none: the partitions are in
 * doubt no longer.</li>
 * <li>It would settle some: the worker sends these, and nothing that is behind another
 * message of the same key.</li>
 * <li>It would settle none: that is an outage of the store, and nothing is sent.</li>
 * </ol>
 * So a message is sent once more at most. A partition that is not in doubt costs nothing.
 */
public final class Rehearsals {

	private final FailurePolicy policy;

	private final Set<Integer> inDoubt = ConcurrentHashMap.newKeySet();

	/**
	 * Create it without anything to rehearse.
	 * @param policy what is done with messages that fail
	 */
	public Rehearsals(FailurePolicy policy) {
		this.policy = policy;
	}

	/**
	 * The store has refused to store anything about a message of a claim.
	 */
	public void refused(Claim claim) {
		this.inDoubt.addAll(claim.partitions());
	}

	/**
	 * What may be sent of a claim, or null if all of it waits for locks.
	 * @throws TransientDataAccessResourceException if nothing may be sent
	 */
	public @Nullable Claim sendable(Claim claim) {
		if (Collections.disjoint(this.inDoubt, claim.partitions())) {
			return claim;
		}
		Set<Long> locked = claim.locked();
		Portion free = Portion.of(claim, (message) -> !locked.contains(message.id()));
		if (free.size() == 0) {
			return null;
		}
		Settlement settlement = Settlement.rehearsed(claim, this.policy);
		Set<Long> settled = rehearse(free, settlement);
		if (locked.isEmpty() && settled.size() == free.size()) {
			this.inDoubt.removeAll(claim.partitions());
			return claim;
		}
		Portion portion = Portion.of(free, (message) -> settled.contains(message.id()));
		if (portion.size() == 0) {
			throw outage(settlement.refusal());
		}
		return portion;
	}

	private static Set<Long> rehearse(Portion free, Settlement settlement) {
		List<Published> messages = free.sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.map((message) -> new Published(message, 0))
			.toList();
		Set<Long> settled = new HashSet<>();
		try {
			if (!free.rehearse(() -> settlement.settle(messages, List.of()))) {
				return messages.stream().map((published) -> published.message().id()).collect(Collectors.toSet());
			}
			settlement.failed().forEach((failed) -> settled.add(failed.message().id()));
		}
		catch (DataAccessException ex) {
			// What has failed could not be parked
			if (!Settlement.isRefusal(free, ex)) {
				throw ex;
			}
			if (settlement.published().isEmpty()) {
				throw outage(ex);
			}
		}
		settlement.published().forEach((published) -> settled.add(published.message().id()));
		return settled;
	}

	private static TransientDataAccessResourceException outage(@Nullable DataAccessException refusal) {
		String reason = (refusal != null) ? ErrorText.of(refusal.getMostSpecificCause())
				: "it has refused them one by one";
		TransientDataAccessResourceException outage = new TransientDataAccessResourceException(
				"The database does not let the relay complete messages, so that it does not send them: " + reason
						+ ". Grant the right that is missing, repair the table or the trigger that refuses, or end the session that holds the lock");
		if (refusal != null) {
			outage.addSuppressed(refusal);
		}
		return outage;
	}

}
