package io.orderedoutbox.relay;

import java.util.List;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.KeySequence;

/**
 * A claim of which only the first messages of each sequence are sent. What is left out
 * stays in the outbox.
 */
final class Portion extends DelegatingClaim {

	private final List<KeySequence> sequences;

	private Portion(Claim claim, List<KeySequence> sequences) {
		super(claim);
		this.sequences = sequences;
	}

	static Portion of(Claim claim, int most) {
		return new Portion(claim, KeySequence.first(claim.sequences(), most));
	}

	int size() {
		return KeySequence.count(this.sequences);
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
	}

}
