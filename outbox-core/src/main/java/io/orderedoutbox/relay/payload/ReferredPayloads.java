/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.DelegatingClaim;
import io.orderedoutbox.store.DelegatingRelayStore;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Loads the payloads of messages that carry a reference only.
 * <ol>
 * <li>A worker has claimed messages. If none of them carries a reference, nothing further
 * happens.</li>
 * <li>The references of all of them are given to the {@link PayloadSource} at once, each
 * of them once: see {@link Loading}.</li>
 * <li>A payload that was loaded takes the place of the reference, with what a consumer
 * undoes done to it: a consumer does not see how a message was stored.</li>
 * <li>Where there is none, the message has a defect, and fails without being sent. If the
 * source is to blame, the message waits. So it does if what a consumer undoes cannot be
 * done for now.</li>
 * <li>What a consumer undoes takes long, or takes long to fail: it is not done for all of
 * the claim, see {@link ClaimPayloads}.</li>
 * </ol>
 * The row keeps its reference, and so do the archive and the dead letters: what is sent
 * again is loaded again.
 */
public final class ReferredPayloads {

	private final @Nullable PayloadSource source;

	private final PayloadTransformers transformers;

	private final Duration limit;

	private final SourceLog log = new SourceLog();

	// With it a worker finds out whether the source is there
	private volatile @Nullable PayloadReference known;

	/**
	 * Create it.
	 * @param source loads payloads; {@code null} if there is nothing that does, and each
	 * message with a reference fails
	 * @param transformers change what was loaded for consumers
	 * @param limit how long they may take for one claim in sum, much less than the store
	 * keeps a claim that says nothing: what they have not changed by then is left for
	 * another claim
	 */
	public ReferredPayloads(@Nullable PayloadSource source, PayloadTransformers transformers, Duration limit) {
		this.source = source;
		this.transformers = transformers;
		this.limit = limit;
	}

	/**
	 * Return a store whose claims have the payloads of all messages.
	 * @param store where messages are claimed
	 * @return a store in front of it
	 */
	public RelayStore around(RelayStore store) {
		return new DelegatingRelayStore(store) {

			@Override
			public Claims claims() {
				return new LoadingClaims(store.claims());
			}

		};
	}

	private Claim loaded(Claim claim) {
		Set<PayloadReference> references = new LinkedHashSet<>();
		for (KeySequence sequence : claim.sequences()) {
			for (StoredMessage stored : sequence.messages()) {
				if (isReference(stored)) {
					references.add(reference(stored.message()));
				}
			}
		}
		if (references.isEmpty()) {
			return claim;
		}
		Loading loading = Loading.of(this.source, references, this.known);
		if (loading.known() != null) {
			this.known = loading.known();
		}
		this.log.loaded(loading);
		List<KeySequence> sequences = new ClaimPayloads(loading, this.transformers, this.limit)
			.inPlaceOfReferences(claim.sequences());
		return new DelegatingClaim(claim) {

			@Override
			public List<KeySequence> sequences() {
				return sequences;
			}

		};
	}

	static boolean isReference(StoredMessage stored) {
		return stored.message().contentType().equals(PayloadReference.CONTENT_TYPE) && stored.defect() == null;
	}

	static PayloadReference reference(Message message) {
		return new PayloadReference(message.name(), new String(message.payload(), StandardCharsets.UTF_8));
	}

	private final class LoadingClaims implements Claims {

		private final Claims claims;

		LoadingClaims(Claims claims) {
			this.claims = claims;
		}

		@Override
		public @Nullable Claim next() {
			Claim claim = this.claims.next();
			if (claim == null) {
				return null;
			}
			Claim loaded = null;
			try {
				loaded = loaded(claim);
				return loaded;
			}
			finally {
				if (loaded == null) {
					claim.close();
				}
			}
		}

		@Override
		public Duration rest() {
			return this.claims.rest();
		}

		@Override
		public void end() {
			this.claims.end();
		}

	}

}
