/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.time.Duration;
import java.util.function.UnaryOperator;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.DelegatingRelayStore;
import io.orderedoutbox.store.RelayStore;

/**
 * A relay store each of whose claims has something put around it.
 */
public final class WrappedRelayStore extends DelegatingRelayStore {

	private final UnaryOperator<Claim> wrapper;

	public WrappedRelayStore(RelayStore store, UnaryOperator<Claim> wrapper) {
		super(store);
		this.wrapper = wrapper;
	}

	@Override
	public Claims claims() {
		Claims claims = super.claims();
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

}
