package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoreTime;

/**
 * A relay store each of whose claims has something put around it.
 */
public record WrappedRelayStore(RelayStore store, UnaryOperator<Claim> wrapper) implements RelayStore {

	@Override
	public Claims claims() {
		Claims claims = this.store.claims();
		return new Claims() {

			@Override
			public Claim next() {
				Claim claim = claims.next();
				return (claim != null) ? WrappedRelayStore.this.wrapper.apply(claim) : null;
			}

			@Override
			public Duration rest() {
				return claims.rest();
			}

			@Override
			public void end() {
				claims.end();
			}

		};
	}

	@Override
	public void committed(Set<Integer> partitions) {
		this.store.committed(partitions);
	}

	@Override
	public void refresh() {
		this.store.refresh();
	}

	/**
	 * A claim that does as another one does.
	 */
	public static class WrappedClaim implements Claim {

		private final Claim claim;

		public WrappedClaim(Claim claim) {
			this.claim = claim;
		}

		@Override
		public List<KeySequence> sequences() {
			return this.claim.sequences();
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
		public StoreTime time() {
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

}
