package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Run;
import io.orderedoutbox.store.StoreTime;
import org.jspecify.annotations.Nullable;

/**
 * The first messages of the runs of a claim. What is left out stays in the outbox.
 *
 * @param claim the whole claim
 * @param runs what is used of it
 */
record Portion(Claim claim, List<Run> runs) implements Claim {

	static Portion of(Claim claim, int most) {
		List<Run> runs = new ArrayList<>();
		int left = most;
		for (Run run : claim.runs()) {
			int taken = Math.min(left, run.messages().size());
			if (taken > 0) {
				runs.add(new Run(run.messages().subList(0, taken)));
				left -= taken;
			}
		}
		return new Portion(claim, runs);
	}

	int size() {
		return this.runs.stream().mapToInt((run) -> run.messages().size()).sum();
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
	public void complete(Collection<Long> published, Collection<FailedMessage> failed) {
		this.claim.complete(published, failed);
	}

	@Override
	public void close() {
		this.claim.close();
	}

}
