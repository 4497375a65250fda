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
 * A claim that passes everything on to another. Subclasses override what they change.
 */
public abstract class DelegatingClaim implements Claim {

	private final Claim claim;

	/**
	 * Create a claim.
	 * @param claim the claim that does the work
	 */
	protected DelegatingClaim(Claim claim) {
		this.claim = claim;
	}

	/**
	 * Return the claim behind this one.
	 * @return the claim that does the work
	 */
	protected final Claim claim() {
		return this.claim;
	}

	@Override
	public List<KeySequence> sequences() {
		return this.claim.sequences();
	}

	@Override
	public Set<Integer> partitions() {
		return this.claim.partitions();
	}

	@Override
	public boolean moreIsWaiting() {
		return this.claim.moreIsWaiting();
	}

	@Override
	public boolean renew() {
		return this.claim.renew();
	}

	@Override
	public @Nullable StoreTime time() {
		return this.claim.time();
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		this.claim.settle(published, failed);
	}

	@Override
	public Set<Long> locked() {
		return this.claim.locked();
	}

	@Override
	public boolean rehearse(Runnable settlement) {
		return this.claim.rehearse(settlement);
	}

	@Override
	public void commit() {
		this.claim.commit();
	}

	@Override
	public void suspend() {
		this.claim.suspend();
	}

	@Override
	public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
		this.claim.settleLate(published, failed);
	}

	@Override
	public void close() {
		this.claim.close();
	}

}
