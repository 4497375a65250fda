/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.Collection;
import java.util.List;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;

/**
 * A claim that stands. It must not be completed or closed: that is not for those who are
 * tested with it.
 */
public class StandingClaim implements Claim {

	private final List<KeySequence> sequences;

	public StandingClaim(List<KeySequence> sequences) {
		this.sequences = sequences;
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

	@Override
	public boolean moreIsWaiting() {
		return false;
	}

	@Override
	public boolean renew() {
		return true;
	}

	@Override
	public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void commit() {
		throw new UnsupportedOperationException();
	}

	@Override
	public void close() {
		throw new UnsupportedOperationException();
	}

}
