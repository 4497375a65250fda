/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a {@link PayloadSource} has to keep.
 */
public abstract class PayloadSourceContract {

	private static final int MANY = 2_000;

	/**
	 * Return the source.
	 * @return the source, on the same events for each call
	 */
	protected abstract PayloadSource source();

	/**
	 * Store an event where the source finds it.
	 * @param number what the payload of the event differs in from others
	 * @return the reference to it
	 */
	protected abstract PayloadReference store(int number);

	/**
	 * Return the payload of an event that {@link #store} has stored.
	 * @param number the number that it was given
	 * @return the payload
	 */
	protected abstract LoadedPayload payload(int number);

	/**
	 * Return a reference to an event that is not there.
	 * @return the reference, another one for each call
	 */
	protected PayloadReference missing() {
		return new PayloadReference("order.placed", UUID.randomUUID().toString());
	}

	private void isPayload(Map<PayloadReference, LoadedPayload> loaded, PayloadReference reference, int number) {
		LoadedPayload payload = loaded.get(reference);
		assertThat(payload).as("of %s", reference).isNotNull();
		LoadedPayload known = Objects.requireNonNull(payload);
		assertThat(known.body()).isEqualTo(payload(number).body());
		assertThat(known.contentType()).isEqualTo(payload(number).contentType());
	}

	@Test
	void payloadsThatAreThereAreLoaded() {
		PayloadReference first = store(1);
		PayloadReference second = store(2);
		Map<PayloadReference, LoadedPayload> loaded = source().load(List.of(second, first));
		assertThat(loaded).hasSize(2);
		isPayload(loaded, first, 1);
		isPayload(loaded, second, 2);
		isPayload(source().load(List.of(first)), first, 1);
	}

	@Test
	void whatIsMissingIsLeftOutAndKeepsNothingElseBack() {
		PayloadReference there = store(3);
		Map<PayloadReference, LoadedPayload> loaded = source().load(List.of(missing(), there, missing()));
		assertThat(loaded).containsOnlyKeys(there);
		isPayload(loaded, there, 3);
		assertThat(source().load(List.of(missing()))).isEmpty();
	}

	@Test
	void aReferenceWithAnotherNameIsAnotherReference() {
		PayloadReference there = store(4);
		assertThat(source().load(List.of(new PayloadReference(there.name() + ".not", there.id())))).isEmpty();
	}

	@Test
	void anIdMayBeAnything() {
		PayloadReference there = store(5);
		List<PayloadReference> odd = new ArrayList<>(List.of(there));
		for (String id : List.of("'", "%", "\\", "; --", "ä\uD83D\uDE80", "x".repeat(1000), " ")) {
			odd.add(new PayloadReference(there.name(), id));
		}
		assertThat(source().load(odd)).containsOnlyKeys(there);
	}

	@Test
	void aBatchMayBeLarge() {
		PayloadReference there = store(6);
		List<PayloadReference> many = new ArrayList<>(
				IntStream.range(1, MANY).mapToObj((number) -> missing()).toList());
		many.add(there);
		Collections.shuffle(many);
		assertThat(source().load(many)).containsOnlyKeys(there);
	}

	@Test
	void loadingChangesNothing() {
		PayloadReference there = store(7);
		isPayload(source().load(List.of(there)), there, 7);
		isPayload(source().load(List.of(there)), there, 7);
	}

	@Test
	void severalThreadsUseItAtTheSameTime() {
		List<PayloadReference> references = IntStream.range(100, 110).mapToObj(this::store).toList();
		PayloadSource source = source();
		assertThat(IntStream.range(0, 40).parallel().mapToObj((call) -> source.load(references)))
			.allSatisfy((loaded) -> assertThat(loaded.keySet()).containsExactlyInAnyOrderElementsOf(references));
	}

}
