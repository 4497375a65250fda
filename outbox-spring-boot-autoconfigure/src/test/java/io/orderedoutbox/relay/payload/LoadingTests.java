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
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Defect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is to blame when a payload cannot be loaded.
 */
@Tag("unit")
class LoadingTests {

	private final List<Integer> calls = new ArrayList<>();

	@Test
	void allOfABatchIsLoadedAtOnce() {
		Loading loading = load(1000, Set.of(), null);
		assertThat(this.calls).containsExactly(1000);
		assertThat(loading.payload(reference(999)).body()).containsExactly((byte) 999);
		assertThat(loading.outage()).isNull();
	}

	@Test
	void whatIsMissingIsADefectOfItsMessage() {
		Loading loading = Loading.of((references) -> Map.of(), List.of(reference(1)));
		assertThat(loading.payload(reference(1))).isNull();
		assertThat(loading.defect(reference(1)).reason()).contains("knows nothing of 'id-1'");
		assertThat(loading.defect(reference(1)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
	}

	@Test
	void withoutASourceEachReferenceIsADefect() {
		assertThat(Loading.of(null, List.of(reference(1))).defect(reference(1)).reason())
			.contains("no PayloadSource here");
	}

	@ParameterizedTest
	@MethodSource("faultsOfAReference")
	void theReferenceWithWhichTheSourceThrowsIsFound(RuntimeException fault) {
		Loading loading = load(1000, Set.of(17, 801), fault);
		for (int i = 0; i < 1000; i++) {
			assertThat(loading.payload(reference(i)) == null).as("reference %d", i).isEqualTo(i == 17 || i == 801);
		}
		assertThat(loading.defect(reference(801)).reason()).contains(fault.toString());
		assertThat(loading.defect(reference(801)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
		assertThat(this.calls).hasSizeLessThan(50);
	}

	static List<RuntimeException> faultsOfAReference() {
		return List.of(new IllegalArgumentException("no UUID"), new NullPointerException(),
				new DataIntegrityViolationException("no UUID"));
	}

	@ParameterizedTest
	@MethodSource("outages")
	void aSourceThatCannotBeReachedIsNoFaultOfAMessageAndIsNotAskedAgain(RuntimeException outage) {
		Loading loading = load(1000, Set.of(17), outage);
		assertThat(this.calls).containsExactly(1000);
		assertThat(loading.defect(reference(3)).reason()).contains(outage.toString());
		assertThat(loading.defect(reference(3)).passing()).isTrue();
		assertThat(loading.outage()).isSameAs(outage);
	}

	static List<RuntimeException> outages() {
		return List.of(new PayloadUnavailableException("away", null), new DataAccessResourceFailureException("away"),
				new QueryTimeoutException("slow"), new CannotCreateTransactionException("away"));
	}

	@Test
	void aSourceThatAlwaysThrowsIsNotAskedForEver() {
		Set<Integer> all = IntStream.range(0, 2000).boxed().collect(Collectors.toSet());
		Loading loading = load(2000, all, new IllegalStateException("broken"));
		assertThat(this.calls).hasSize(40);
		List<Defect> defects = all.stream().map((i) -> loading.defect(reference(i))).toList();
		assertThat(defects).extracting(Defect::passing).contains(true, false);
		assertThat(loading.outage()).isNotNull();
	}

	private Loading load(int count, Set<Integer> culprits, RuntimeException fault) {
		Set<PayloadReference> throwing = culprits.stream().map(LoadingTests::reference).collect(Collectors.toSet());
		return Loading.of((references) -> payloads(references, throwing, fault),
				IntStream.range(0, count).mapToObj(LoadingTests::reference).toList());
	}

	private Map<PayloadReference, LoadedPayload> payloads(Collection<PayloadReference> references,
			Set<PayloadReference> throwing, RuntimeException fault) {
		this.calls.add(references.size());
		Map<PayloadReference, LoadedPayload> payloads = new HashMap<>();
		for (PayloadReference reference : references) {
			if (throwing.contains(reference)) {
				throw fault;
			}
			payloads.put(reference, new LoadedPayload(
					new byte[] { (byte) Integer.parseInt(reference.id().substring(3)) }, "text/plain"));
		}
		return payloads;
	}

	private static PayloadReference reference(int number) {
		return new PayloadReference("order.placed", "id-" + number);
	}

}
