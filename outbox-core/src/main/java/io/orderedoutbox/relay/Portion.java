package io.orderedoutbox.relay;

import java.util.List;
import java.util.Set;

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

	/**
	 * A claim of which only some messages are sent.
	 * @param ids their positions; what is behind another message of its sequence is left
	 * out with it
	 */
	static Portion of(Claim claim, Set<Long> ids) {
		return new Portion(claim, claim.sequences()
			.stream()
			.map((sequence) -> sequence.messages().stream().takeWhile((message) -> ids.contains(message.id())).toList())
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
