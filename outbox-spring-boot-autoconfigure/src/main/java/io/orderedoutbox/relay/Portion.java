package io.orderedoutbox.relay;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.Run;

/**
 * The first messages of the runs of a claim. What is left out stays in the outbox.
 */
final class Portion extends DelegatingClaim {

	private final List<Run> runs;

	private Portion(Claim claim, List<Run> runs) {
		super(claim);
		this.runs = runs;
	}

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
		return Run.count(this.runs);
	}

	@Override
	public List<Run> runs() {
		return this.runs;
	}

}
