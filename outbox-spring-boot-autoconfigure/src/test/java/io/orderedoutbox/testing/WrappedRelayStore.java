package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.RelayStore;

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

}
