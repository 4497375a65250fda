/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Puts the payloads of one claim in the place of their references.
 * <ol>
 * <li>The first message of each sequence comes before the second of any: a key with many
 * messages does not use up the time of the others.</li>
 * <li>What a consumer undoes cannot be done for now, and it took long to find that out,
 * in one call or in several together: it is tried no more in this claim for messages of
 * the same {@link Kind}. They wait.</li>
 * <li>The time is over: a sequence ends before its next reference. That is left for
 * another claim, with what follows it. At least one message is transformed in each
 * claim.</li>
 * </ol>
 */
final class ClaimPayloads {

	// A claim with a few messages that wait so long is still settled in time
	private static final Duration LONG = Duration.ofMillis(200);

	private final Loading loading;

	private final PayloadTransformers transformers;

	private final Duration limit;

	private final Map<Kind, Long> failing = new HashMap<>();

	private final Map<Kind, Defect> away = new HashMap<>();

	private long spent;

	/**
	 * Create it for one claim.
	 * @param limit how long the transformers may take in sum
	 */
	ClaimPayloads(Loading loading, PayloadTransformers transformers, Duration limit) {
		this.loading = loading;
		this.transformers = transformers;
		this.limit = limit;
	}

	List<KeySequence> inPlaceOfReferences(Collection<KeySequence> claimed) {
		List<Beginning> all = claimed.stream().map(Beginning::new).toList();
		Queue<Beginning> unfinished = new ArrayDeque<>(all);
		while (!unfinished.isEmpty()) {
			Beginning next = unfinished.remove();
			if (next.goOn()) {
				unfinished.add(next);
			}
		}
		return all.stream()
			.map((beginning) -> beginning.messages)
			.filter((messages) -> !messages.isEmpty())
			.map(KeySequence::new)
			.toList();
	}

	private @Nullable StoredMessage withPayload(StoredMessage stored) {
		if (!ReferredPayloads.isReference(stored)) {
			return stored;
		}
		PayloadReference reference = ReferredPayloads.reference(stored.message());
		LoadedPayload payload = this.loading.payload(reference);
		if (payload == null) {
			return stored.withDefect(this.loading.defect(reference));
		}
		Kind kind = Kind.of(stored.message(), payload);
		Defect known = this.away.get(kind);
		if (known != null) {
			return stored.withDefect(known);
		}
		return (this.spent > this.limit.toNanos()) ? null : transformed(stored, payload, kind);
	}

	private StoredMessage transformed(StoredMessage stored, LoadedPayload payload, Kind kind) {
		Message message = stored.message();
		long begin = System.nanoTime();
		try {
			EncodedPayload encoded = this.transformers.encodeForConsumer(payload.body(), message.messageId(),
					message.name());
			return stored
				.with((encoded == null) ? message.with(payload.contentType(), payload.body(), message.headers())
						: message.with(payload.contentType(), encoded.body(), encoded.headers(message.headers())));
		}
		catch (PayloadUnavailableException ex) {
			Defect defect = Defect.payloadUnavailable(String.valueOf(ex.getMessage()));
			if (this.failing.merge(kind, System.nanoTime() - begin, Long::sum) > LONG.toNanos()) {
				this.away.put(kind, defect);
			}
			return stored.withDefect(defect);
		}
		// Transformers throw what they like
		catch (RuntimeException ex) {
			return stored.withDefect(Defect.lasting("its payload was loaded, but cannot be transformed: " + ex));
		}
		finally {
			this.spent += System.nanoTime() - begin;
		}
	}

	/**
	 * The messages of a sequence up to the first one that was not transformed in time.
	 */
	private final class Beginning {

		private final List<StoredMessage> messages = new ArrayList<>();

		private final Iterator<StoredMessage> claimed;

		Beginning(KeySequence sequence) {
			this.claimed = sequence.messages().iterator();
		}

		/** Take the next message, and return whether there may be another one. */
		boolean goOn() {
			StoredMessage next = withPayload(this.claimed.next());
			if (next != null) {
				this.messages.add(next);
			}
			return next != null && this.claimed.hasNext();
		}

	}

	/**
	 * Messages of one name and of about the same size: a transformer may leave alone what
	 * has another name, or what is much smaller or larger.
	 *
	 * @param name the name of the messages
	 * @param bits how many bits the size of the payload has
	 */
	private record Kind(String name, int bits) {

		static Kind of(Message message, LoadedPayload payload) {
			return new Kind(message.name(), Integer.SIZE - Integer.numberOfLeadingZeros(payload.body().length));
		}

	}

}
