package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A claim that leaves everything to another, but what a subclass does itself.
 */
public abstract class DelegatingClaim implements Claim {

	private final Claim claim;

	/**
	 * Create a claim.
	 * @param claim the other
	 */
	protected DelegatingClaim(Claim claim) {
		this.claim = claim;
	}

	@Override
	public List<Run> runs() {
		return this.claim.runs();
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
	public @Nullable Runnable preparation(Collection<Long> published) {
		return this.claim.preparation(published);
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
