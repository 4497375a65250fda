/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.List;
import java.util.function.Predicate;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

/**
 * A claim of which only the first messages of each sequence are sent. What is left out
 * stays in the outbox.
 */
public final class Portion extends DelegatingClaim {

	private final List<KeySequence> sequences;

	private Portion(Claim claim, List<KeySequence> sequences) {
		super(claim);
		this.sequences = sequences;
	}

	/**
	 * Return the first messages of a claim; the rest is as if it had not been claimed.
	 * @param claim the claim
	 * @param most how many messages at most
	 * @return the portion
	 */
	public static Portion of(Claim claim, int most) {
		return new Portion(claim, KeySequence.first(claim.sequences(), most));
	}

	/**
	 * A claim of which only some messages are sent.
	 * @param sendable says which; what is behind another message of its sequence is left
	 * out with it
	 */
	static Portion of(Claim claim, Predicate<StoredMessage> sendable) {
		return new Portion(claim,
				claim.sequences()
					.stream()
					.map((sequence) -> sequence.messages().stream().takeWhile(sendable).toList())
					.filter((messages) -> !messages.isEmpty())
					.map(KeySequence::new)
					.toList());
	}

	int size() {
		return KeySequence.count(this.sequences);
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

}
