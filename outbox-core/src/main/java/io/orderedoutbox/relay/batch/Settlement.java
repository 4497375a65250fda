/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.relay.batch.RelayBatch.Published;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;

/**
 * Settles messages of a claim, as far as the store does it. When the store refuses some,
 * whatever its error is, and the claim stands, this class finds those because of which it
 * does, and settles the others.
 * <ol>
 * <li>Settle all messages at once.</li>
 * <li>The store refuses that: leave out what something else has locked. It stays as it
 * is, and spends no attempt.</li>
 * <li>Settle what was published, and then what has failed. The store refuses some
 * messages: settle their first half and their second half, each in the same way.</li>
 * <li>The store refuses a single message: it is a culprit. If it was published, it has
 * failed because it could not be removed: it spends an attempt, stays in the outbox, and
 * is sent again. If it was to become a dead letter, it is blocked instead.</li>
 * <li>The store refuses that as well: the message stays as it is.</li>
 * <li>The store has refused many messages one by one, or has waited too long for a lock
 * with both halves: it may well refuse all of them. What is left is not settled.</li>
 * <li>The store has removed no message at all, and what it says may be about all, such as
 * a right that is missing. What was published stays as it is and spends no attempt,
 * unless it was a culprit before. In a rehearsal it does so then as well, because a
 * message must not be sent as long as nothing can be removed.</li>
 * <li>The store has refused something only because it has waited too long for a lock: the
 * message stays as it is and spends no attempt. It is no culprit, because locks end.</li>
 * </ol>
 * What is not settled stays in the outbox, so that nothing is lost. What was published
 * behind the culprit of the same key has been sent after it, and is removed.
 */
final class Settlement {

	// The search needs some twenty calls to find one of them
	private static final int MANY = 20;

	private final Claim claim;

	private final FailurePolicy policy;

	private final boolean rehearsal;

	private final List<Published> published = new ArrayList<>();

	private final List<Failed> failed = new ArrayList<>();

	private @Nullable DataAccessException refusal;

	private Settlement(Claim claim, FailurePolicy policy, boolean rehearsal) {
		this.claim = claim;
		this.policy = policy;
		this.rehearsal = rehearsal;
	}

	static Settlement of(Claim claim, FailurePolicy policy) {
		return new Settlement(claim, policy, false);
	}

	/**
	 * A settlement that is undone, before anything is sent.
	 */
	static Settlement rehearsed(Claim claim, FailurePolicy policy) {
		return new Settlement(claim, policy, true);
	}

	void settle(List<Published> confirmed, List<Failed> failures) {
		DataAccessException refused = tryToSettle(confirmed, failures);
		if (refused == null) {
			return;
		}
		Set<Long> locked = this.claim.locked();
		boolean isAnyLocked = Stream
			.concat(confirmed.stream().map(Settlement::id), failures.stream().map(Settlement::id))
			.anyMatch(locked::contains);
		this.refusal = isAnyLocked ? refused : null;
		Map<Published, DataAccessException> irremovable = new LinkedHashMap<>();
		boolean isComplete = search(confirmed.stream().filter((message) -> !locked.contains(id(message))).toList(),
				(some) -> tryToSettle(some, List.of()), irremovable);
		boolean isAnyRemoved = !this.published.isEmpty();
		Map<Failed, DataAccessException> unstorable = new LinkedHashMap<>();
		isComplete &= search(failures.stream().filter((message) -> !locked.contains(id(message))).toList(),
				(some) -> tryToSettle(List.of(), some), unstorable);
		if (!isComplete) {
			this.refusal = refused;
		}
		irremovable.forEach((culprit, error) -> {
			boolean wasCulprit = culprit.message().irremovable() && !this.rehearsal;
			if (isAnyRemoved || wasCulprit || !mayBeAboutAll(error)) {
				blame(culprit, error);
			}
			else {
				this.refusal = error;
			}
		});
		unstorable.forEach(this::blame);
	}

	/**
	 * Settle messages, and find those because of which the store refuses that.
	 * @param settle settles some of them, and returns why the store has refused it
	 * @param culprits where they are put, with what the store says
	 * @return whether all were gone through: not if there are too many culprits, or if a
	 * lock is not that of a single message
	 */
	static <T> boolean search(List<T> messages, Function<List<T>, @Nullable DataAccessException> settle,
			Map<T, DataAccessException> culprits) {
		DataAccessException refused = messages.isEmpty() ? null : settle.apply(messages);
		return refused == null || searchHalves(messages, refused, settle, culprits);
	}

	private static <T> boolean searchHalves(List<T> messages, DataAccessException refused,
			Function<List<T>, @Nullable DataAccessException> settle, Map<T, DataAccessException> culprits) {
		if (messages.size() == 1) {
			culprits.put(messages.get(0), refused);
			return culprits.size() < MANY;
		}
		List<T> first = messages.subList(0, messages.size() / 2);
		List<T> second = messages.subList(messages.size() / 2, messages.size());
		DataAccessException ofFirst = settle.apply(first);
		DataAccessException ofSecond = settle.apply(second);
		if (ofFirst != null && ofSecond != null && isOnlyLocked(ofFirst) && isOnlyLocked(ofSecond)) {
			// Each further call would wait for the lock as well
			return false;
		}
		return (ofFirst == null || searchHalves(first, ofFirst, settle, culprits))
				&& (ofSecond == null || searchHalves(second, ofSecond, settle, culprits));
	}

	private @Nullable DataAccessException tryToSettle(List<Published> confirmed, List<Failed> failures) {
		try {
			this.claim.settle(confirmed.stream().map(Settlement::id).toList(),
					failures.stream().map(Failed::consequence).toList());
			this.published.addAll(confirmed);
			this.failed.addAll(failures);
			return null;
		}
		catch (DataAccessException ex) {
			if (!isRefusal(this.claim, ex)) {
				throw ex;
			}
			return ex;
		}
	}

	/**
	 * Whether the store was reached, has refused to do what it was asked for, and has not
	 * ended the claim by that.
	 */
	static boolean isRefusal(Claim claim, DataAccessException error) {
		boolean isOfResource = error instanceof NonTransientDataAccessResourceException
				|| error instanceof TransientDataAccessResourceException
				|| error instanceof RecoverableDataAccessException;
		return !isOfResource && claim.renew();
	}

	// So may what the store says about tables and rights, or in words of its own
	private static boolean mayBeAboutAll(DataAccessException error) {
		return !WorkFailure.isRefusal(error) || error instanceof InvalidDataAccessResourceUsageException
				|| error instanceof PermissionDeniedDataAccessException;
	}

	private void blame(Published culprit, DataAccessException error) {
		if (isOnlyLocked(error)) {
			this.refusal = error;
			return;
		}
		Failed failure = new Failed(culprit.message(), FailureReason.NOT_REMOVED,
				this.policy.failed(culprit.message(), StoredMessage.NOT_REMOVED + text(error)));
		DataAccessException refused = tryToSettle(List.of(), List.of(failure));
		if (refused != null) {
			block(failure, isOnlyLocked(refused) ? refused : error);
		}
	}

	private void blame(Failed culprit, DataAccessException error) {
		FailedMessage consequence = culprit.consequence();
		String text = ErrorText.bounded(consequence.error() + "; and that could not be stored: " + text(error));
		block(new Failed(culprit.message(), culprit.reason(),
				new FailedMessage(consequence.id(), text, consequence.fate(), consequence.delay())), error);
	}

	// A lock ends. To be blocked does not
	private static boolean isOnlyLocked(DataAccessException error) {
		return error instanceof TransientDataAccessException;
	}

	private void block(Failed failure, DataAccessException error) {
		if (isOnlyLocked(error)) {
			this.refusal = error;
			return;
		}
		FailedMessage consequence = failure.consequence();
		Failed blocked = new Failed(failure.message(), failure.reason(),
				FailedMessage.blocked(consequence.id(), consequence.error()));
		if (consequence.fate() != Fate.DEAD_LETTER || tryToSettle(List.of(), List.of(blocked)) != null) {
			this.refusal = error;
		}
	}

	private static String text(DataAccessException error) {
		return ErrorText.of(error.getMostSpecificCause());
	}

	private static Long id(Published message) {
		return message.message().id();
	}

	private static Long id(Failed message) {
		return message.message().id();
	}

	/** What was removed, or would be. */
	List<Published> published() {
		return this.published;
	}

	/** Of which was stored that it has failed. */
	List<Failed> failed() {
		return this.failed;
	}

	/**
	 * Why messages could not be settled in any way, or null if all were.
	 */
	@Nullable DataAccessException refusal() {
		return this.refusal;
	}

}
