package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoreTime;
import org.jspecify.annotations.Nullable;

/**
 * A claim of which only the first messages of each sequence are sent. What is left out
 * stays in the outbox.
 */
final class Portion implements Claim {

	private final Claim claim;

	private final List<KeySequence> sequences;

	private Portion(Claim claim, List<KeySequence> sequences) {
		this.claim = claim;
		this.sequences = sequences;
	}

	static Portion of(Claim claim, int most) {
		List<KeySequence> sequences = new ArrayList<>();
		int left = most;
		for (KeySequence sequence : claim.sequences()) {
			int taken = Math.min(left, sequence.messages().size());
			if (taken > 0) {
				sequences.add(new KeySequence(sequence.messages().subList(0, taken)));
				left -= taken;
			}
		}
		return new Portion(claim, sequences);
	}

	int size() {
		return KeySequence.count(this.sequences);
	}

	@Override
	public List<KeySequence> sequences() {
		return this.sequences;
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
