/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.store.Defect;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;

/**
 * What a {@link PayloadSource} has made of the references of a batch.
 * <ol>
 * <li>All references are loaded at once. What is not there is missing: its messages have
 * failed.</li>
 * <li>The source says that it cannot be reached, or that it has no time: no message is to
 * blame, all wait.</li>
 * <li>The source throws what does not tell whether it is away or one of the references is
 * to blame, such as a connection that was closed: ask for a reference that it has loaded
 * before, or, as long as there is none, for each half of these. It is away if it loads
 * nothing of that, or was slow to throw: then all wait.</li>
 * <li>The source is there and throws: load the first half of the references and the
 * second half, each in the same way. The messages of a single reference with which the
 * source throws have failed. It was asked for that once more if what it has thrown did
 * not tell: a connection may have been lost.</li>
 * <li>The source has thrown many times: it may do so with all of them. What was not
 * loaded by then waits, and spends no attempt.</li>
 * </ol>
 */
final class Loading {

	// As many calls find a few culprits among thousands of references
	private static final int MOST_FAILED_CALLS = 40;

	// No row is refused so late: it was waited for a connection, and would be again
	private static final Duration SLOW = Duration.ofSeconds(2);

	private static final String NO_SOURCE = "its payload is stored elsewhere, and there is no PayloadSource here: declare such a bean on each instance that relays";

	private static final String MISSING = "its payload is not there: the PayloadSource knows nothing of '%s'";

	private final @Nullable PayloadSource source;

	private final Map<PayloadReference, LoadedPayload> payloads = new HashMap<>();

	private final Map<PayloadReference, Defect> defects = new HashMap<>();

	private @Nullable PayloadReference known;

	private int failedCalls;

	private @Nullable RuntimeException outage;

	private Loading(@Nullable PayloadSource source, @Nullable PayloadReference known) {
		this.source = source;
		this.known = known;
	}

	/**
	 * Load references.
	 * @param source loads them, null if there is none
	 * @param references the references
	 * @param known a reference that the source has loaded before, null if there is none
	 */
	static Loading of(@Nullable PayloadSource source, Collection<PayloadReference> references,
			@Nullable PayloadReference known) {
		Loading loading = new Loading(source, known);
		if (source != null) {
			loading.load(source, new ArrayList<>(references));
		}
		return loading;
	}

	private void load(PayloadSource source, List<PayloadReference> references) {
		if (this.payloads.keySet().containsAll(references)) {
			return; // it was loaded to find out whether the source is there
		}
		RuntimeException failure = (this.outage != null) ? this.outage : tryToLoad(source, references);
		if (failure == null) {
			return;
		}
		if (this.outage != null || references.size() == 1) {
			Defect defect = (this.outage != null) ? Defect.payloadUnavailable(failure.toString())
					: Defect.lasting("its payload cannot be loaded: " + failure);
			references.forEach((reference) -> this.defects.put(reference, defect));
			return;
		}
		halves(references).forEach((half) -> load(source, half));
	}

	private static List<List<PayloadReference>> halves(List<PayloadReference> references) {
		int half = references.size() / 2;
		return List.of(references.subList(0, half), references.subList(half, references.size()));
	}

	private @Nullable RuntimeException tryToLoad(PayloadSource source, List<PayloadReference> references) {
		long begin = System.nanoTime();
		RuntimeException failure = call(source, references);
		boolean isAway = false;
		if (failure != null && SourceFailure.of(failure) == SourceFailure.UNCLEAR) {
			isAway = System.nanoTime() - begin > SLOW.toNanos() || !isThere(source, references);
			if (!isAway && references.size() == 1) {
				failure = call(source, references);
			}
		}
		if (failure != null && (isAway || SourceFailure.of(failure) == SourceFailure.OUTAGE
				|| this.failedCalls >= MOST_FAILED_CALLS)) {
			this.outage = failure;
		}
		return failure;
	}

	private boolean isThere(PayloadSource source, List<PayloadReference> references) {
		if (this.known != null && !references.contains(this.known)) {
			List<PayloadReference> before = List.of(this.known);
			RuntimeException failure = call(source, before);
			if (answers(failure, before)) {
				return true;
			}
			if (failure != null && SourceFailure.of(failure) != SourceFailure.REFUSAL) {
				return false;
			}
			// It was deleted since then, which tells nothing
		}
		return references.size() > 1
				&& halves(references).stream().anyMatch((half) -> answers(call(source, half), half));
	}

	// A database that refuses something was reached
	private boolean answers(@Nullable RuntimeException failure, List<PayloadReference> references) {
		return (failure != null)
				? failure instanceof DataAccessException && SourceFailure.of(failure) == SourceFailure.REFUSAL
				: isAnyLoaded(references);
	}

	private boolean isAnyLoaded(List<PayloadReference> references) {
		return references.stream().anyMatch(this.payloads::containsKey);
	}

	private @Nullable RuntimeException call(PayloadSource source, List<PayloadReference> references) {
		try {
			Map<PayloadReference, LoadedPayload> loaded = source.load(List.copyOf(references));
			this.payloads.putAll(loaded);
			references.stream().filter(loaded::containsKey).findFirst().ifPresent((first) -> this.known = first);
			return null;
		}
		// Sources throw what they like
		catch (RuntimeException ex) {
			this.failedCalls++;
			return ex;
		}
	}

	/** The payload of a reference, or null if there is none. */
	@Nullable LoadedPayload payload(PayloadReference reference) {
		return this.payloads.get(reference);
	}

	/** Why there is no payload of a reference. */
	Defect defect(PayloadReference reference) {
		return (this.source == null) ? Defect.lasting(NO_SOURCE)
				: this.defects.getOrDefault(reference, Defect.lasting(MISSING.formatted(reference.id())));
	}

	/**
	 * A reference that the source has loaded, now or before, or null if there is none.
	 */
	@Nullable PayloadReference known() {
		return this.known;
	}

	/** Why the source cannot be used for now, or null if it can. */
	@Nullable RuntimeException outage() {
		return this.outage;
	}

}
