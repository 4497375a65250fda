package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.orderedoutbox.relay.RelayBatch.Failed;
import io.orderedoutbox.relay.RelayBatch.Published;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.PermissionDeniedDataAccessException;

/**
 * Completes a batch. When the store refuses to store what became of the messages, because
 * of one of them, this class finds that message and completes the others.
 * <ol>
 * <li>Settle all messages at once, and commit.</li>
 * <li>The store refuses to settle some messages, and the claim stands: settle their first
 * half and their second half, each in the same way.</li>
 * <li>The store refuses a single message: it is the culprit. If it was published, it has
 * failed because it could not be removed: it spends an attempt, stays in the outbox, and
 * is sent again. If it was to become a dead letter, it is blocked instead.</li>
 * <li>The store refuses that as well: the message stays as it is, and the worker is told
 * of the error when the other messages are committed.</li>
 * <li>The store has refused many messages one by one: it may well refuse all of them.
 * What is left is not settled, and the worker is told of the error.</li>
 * <li>The broker falls silent: settle what is known in the same way, and suspend the
 * claim instead of committing it. What becomes known after that is settled late.</li>
 * </ol>
 * What is not settled stays in the outbox, so that nothing is lost. What was published
 * behind the culprit of the same key has been sent after it, and is removed.
 */
final class BatchCompletion {

	// The search needs some twenty calls to find one of them
	private static final int MANY = 20;

	private final Claim claim;

	private final Results results;

	private final List<Published> published = new ArrayList<>();

	private final List<Failed> failed = new ArrayList<>();

	private int culprits;

	private @Nullable DataAccessException refusal;

	private boolean suspended;

	private int knownPublished;

	private int knownFailed;

	BatchCompletion(Claim claim, Results results) {
		this.claim = claim;
		this.results = results;
	}

	/**
	 * Complete the batch. The results are then what was stored.
	 * @return why messages could not be stored in any way, or null if all were
	 */
	@Nullable DataAccessException complete() {
		if (this.suspended) {
			completeLate();
		}
		else if (!this.results.isEmpty()) {
			settleAll();
			this.claim.commit();
		}
		return this.refusal;
	}

	/**
	 * Complete what is known of the batch, and keep no connection until
	 * {@link #complete()} is called.
	 */
	void suspend() {
		settleAll();
		this.claim.suspend();
		this.suspended = true;
		this.knownPublished = this.results.confirmed().size();
		this.knownFailed = this.results.failures().size();
	}

	private void completeLate() {
		List<Published> confirmed = this.results.confirmed();
		List<Failed> failures = this.results.failures();
		List<Published> latePublished = confirmed.subList(this.knownPublished, confirmed.size());
		List<Failed> lateFailed = failures.subList(this.knownFailed, failures.size());
		if (!latePublished.isEmpty() || !lateFailed.isEmpty()) {
			this.claim.settleLate(latePublished.stream().map((message) -> message.message().id()).toList(),
					lateFailed.stream().map(Failed::consequence).toList());
		}
	}

	private void settleAll() {
		List<Entry> all = new ArrayList<>();
		this.results.confirmed().forEach((message) -> all.add(new Entry(message, null)));
		this.results.failures().forEach((message) -> all.add(new Entry(null, message)));
		settle(all);
		if (this.culprits > 0) {
			this.results.replace(this.published, this.failed);
		}
	}

	private void settle(List<Entry> entries) {
		if (entries.isEmpty() || this.culprits == MANY) {
			return;
		}
		NonTransientDataAccessException refused = tryToSettle(entries);
		if (refused == null) {
			return;
		}
		if (entries.size() == 1) {
			blame(entries.get(0), refused);
			return;
		}
		int half = entries.size() / 2;
		settle(entries.subList(0, half));
		settle(entries.subList(half, entries.size()));
	}

	private @Nullable NonTransientDataAccessException tryToSettle(List<Entry> entries) {
		List<Published> confirmed = entries.stream().map(Entry::published).filter(Objects::nonNull).toList();
		List<Failed> failures = entries.stream().map(Entry::failed).filter(Objects::nonNull).toList();
		try {
			this.claim.settle(confirmed.stream().map((message) -> message.message().id()).toList(),
					failures.stream().map(Failed::consequence).toList());
			this.published.addAll(confirmed);
			this.failed.addAll(failures);
			return null;
		}
		catch (NonTransientDataAccessException ex) {
			if (!mayBeBecauseOfAMessage(ex) || !this.claim.renew()) {
				throw ex;
			}
			return ex;
		}
	}

	// What the store says about tables and rights is about all messages
	private static boolean mayBeBecauseOfAMessage(NonTransientDataAccessException refusal) {
		return WorkFailure.isRefusal(refusal) && !(refusal instanceof InvalidDataAccessResourceUsageException)
				&& !(refusal instanceof PermissionDeniedDataAccessException);
	}

	private void blame(Entry culprit, NonTransientDataAccessException refused) {
		this.culprits++;
		Failed failure = culprit.failure(this.results, ErrorText.of(refused.getMostSpecificCause()));
		boolean settled = culprit.failed() == null && tryToSettle(List.of(new Entry(null, failure))) == null;
		if (!settled && failure.consequence().fate() == Fate.DEAD_LETTER) {
			settled = tryToSettle(List.of(new Entry(null, blocked(failure)))) == null;
		}
		if (!settled || this.culprits == MANY) {
			this.refusal = refused;
		}
	}

	private static Failed blocked(Failed failure) {
		FailedMessage consequence = failure.consequence();
		return new Failed(failure.message(), failure.reason(),
				FailedMessage.blocked(consequence.id(), consequence.error()));
	}

	/**
	 * A message that was published, or one that has failed.
	 */
	private record Entry(@Nullable Published published, @Nullable Failed failed) {

		/**
		 * What becomes of the message if the store refuses it.
		 */
		Failed failure(Results results, String error) {
			if (this.failed == null) {
				StoredMessage message = Objects.requireNonNull(this.published).message();
				return results.notRemoved(message, "published, but it could not be removed from the outbox: " + error);
			}
			FailedMessage consequence = this.failed.consequence();
			String text = ErrorText.bounded(consequence.error() + "; and that could not be stored: " + error);
			return new Failed(this.failed.message(), this.failed.reason(),
					new FailedMessage(consequence.id(), text, consequence.fate(), consequence.delay()));
		}

	}

}
