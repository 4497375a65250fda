/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Defect;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * What a {@link PayloadSource} has made of the references of a batch.
 * <ol>
 * <li>All references are loaded at once. What is not there is missing: its messages have
 * failed.</li>
 * <li>The source cannot be reached: no message is to blame, all wait.</li>
 * <li>The source throws anything else: load the first half of the references and the
 * second half, each in the same way. The messages of a single reference with which the
 * source throws have failed.</li>
 * <li>The source has thrown many times: it may do so with all of them. What was not
 * loaded by then waits, and spends no attempt.</li>
 * </ol>
 */
final class Loading {

	// As many calls find a few culprits among thousands of references
	private static final int MOST_FAILED_CALLS = 40;

	private static final String NO_SOURCE = "its payload is stored elsewhere, and there is no PayloadSource here: declare such a bean on each instance that relays";

	private static final String MISSING = "its payload is not there: the PayloadSource knows nothing of '%s'";

	private final @Nullable PayloadSource source;

	private final Map<PayloadReference, LoadedPayload> payloads = new HashMap<>();

	private final Map<PayloadReference, Defect> defects = new HashMap<>();

	private int failedCalls;

	private @Nullable RuntimeException outage;

	private Loading(@Nullable PayloadSource source) {
		this.source = source;
	}

	static Loading of(@Nullable PayloadSource source, Collection<PayloadReference> references) {
		Loading loading = new Loading(source);
		if (source != null) {
			loading.load(source, new ArrayList<>(references));
		}
		return loading;
	}

	private void load(PayloadSource source, List<PayloadReference> references) {
		RuntimeException failure = (this.outage != null) ? this.outage : tryToLoad(source, references);
		if (failure == null) {
			return;
		}
		boolean isOutage = isOutage(failure) || this.failedCalls >= MOST_FAILED_CALLS;
		if (isOutage) {
			this.outage = failure;
		}
		if (isOutage || references.size() == 1) {
			Defect defect = isOutage ? Defect.payloadUnavailable(failure.toString())
					: Defect.lasting("its payload cannot be loaded: " + failure);
			references.forEach((reference) -> this.defects.put(reference, defect));
			return;
		}
		int half = references.size() / 2;
		load(source, references.subList(0, half));
		load(source, references.subList(half, references.size()));
	}

	private @Nullable RuntimeException tryToLoad(PayloadSource source, List<PayloadReference> references) {
		try {
			this.payloads.putAll(source.load(List.copyOf(references)));
			return null;
		}
		// Sources throw what they like
		catch (RuntimeException ex) {
			this.failedCalls++;
			return ex;
		}
	}

	// A database that has refused a statement was reached
	private static boolean isOutage(RuntimeException failure) {
		boolean isRefusal = failure instanceof NonTransientDataAccessException
				&& !(failure instanceof NonTransientDataAccessResourceException)
				&& !(failure instanceof UncategorizedDataAccessException);
		return failure instanceof PayloadUnavailableException || failure instanceof TransactionException
				|| (failure instanceof DataAccessException && !isRefusal);
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

	/** Why the source cannot be used for now, or null if it can. */
	@Nullable RuntimeException outage() {
		return this.outage;
	}

}
