/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.relay.batch.RelayBatch.Published;
import io.orderedoutbox.store.Claim;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * Completes a batch.
 * <ol>
 * <li>Settle what became of the messages, as far as the store does it: see
 * {@link Settlement}. Then commit.</li>
 * <li>The store refuses the commit, because it refuses to park a key, and the claim
 * stands: settle late what was published, without what has failed.</li>
 * <li>The worker is told of what could not be stored in any way, when the other messages
 * are committed.</li>
 * <li>The broker falls silent: settle what is known in the same way, and suspend the
 * claim instead of committing it. What becomes known after that is settled late; if the
 * store refuses that, only what was published, as far as the store does it.</li>
 * </ol>
 */
final class BatchCompletion {

	private final Claim claim;

	private final Results results;

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
			complete(this.claim::commit);
		}
		return this.refusal;
	}

	/**
	 * Complete what is known of the batch, and keep no connection until
	 * {@link #complete()} is called.
	 */
	void suspend() {
		complete(this.claim::suspend);
		this.suspended = true;
		this.knownPublished = this.results.confirmed().size();
		this.knownFailed = this.results.failures().size();
	}

	private void complete(Runnable commit) {
		Settlement settlement = Settlement.of(this.claim, this.results.policy());
		settlement.settle(this.results.confirmed(), this.results.failures());
		this.refusal = settlement.refusal();
		this.results.replace(settlement.published(), settlement.failed());
		try {
			commit.run();
		}
		catch (DataAccessException ex) {
			if (!Settlement.isRefusal(this.claim, ex)) {
				throw ex;
			}
			this.results.replace(settlement.published(), new ArrayList<>());
			this.claim.settleLate(this.results.published(), List.of());
			this.refusal = ex;
		}
	}

	private void completeLate() {
		List<Published> confirmed = this.results.confirmed();
		List<Failed> failures = this.results.failures();
		List<Published> latePublished = confirmed.subList(this.knownPublished, confirmed.size());
		List<Failed> lateFailed = failures.subList(this.knownFailed, failures.size());
		if (!latePublished.isEmpty() || !lateFailed.isEmpty()) {
			completeLate(latePublished, lateFailed);
		}
	}

	private void completeLate(List<Published> published, List<Failed> failed) {
		DataAccessException refused = tryLate(published, failed);
		if (refused != null) {
			List<Published> settled = new ArrayList<>(this.results.confirmed().subList(0, this.knownPublished));
			Settlement.search(published, (some) -> {
				DataAccessException error = tryLate(some, List.of());
				settled.addAll((error != null) ? List.of() : some);
				return error;
			}, new HashMap<>());
			this.results.replace(settled, this.results.failures().subList(0, this.knownFailed));
			this.refusal = refused;
		}
	}

	private @Nullable DataAccessException tryLate(List<Published> published, List<Failed> failed) {
		try {
			this.claim.settleLate(published.stream().map((message) -> message.message().id()).toList(),
					failed.stream().map(Failed::consequence).toList());
			return null;
		}
		catch (DataAccessException ex) {
			if (!Settlement.isRefusal(this.claim, ex)) {
				throw ex;
			}
			return ex;
		}
	}

}
