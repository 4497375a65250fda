/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.store.Defect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who is to blame when a payload cannot be loaded.
 */
@Tag("unit")
class LoadingTests {

	private static final RuntimeException AWAY = new DataAccessResourceFailureException("away");

	private static final int DELETED = -1;

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
		Loading loading = Loading.of((references) -> Map.of(), List.of(reference(1)), null);
		assertThat(loading.payload(reference(1))).isNull();
		assertThat(loading.defect(reference(1)).reason()).contains("knows nothing of 'id-1'");
		assertThat(loading.defect(reference(1)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
	}

	@Test
	void withoutASourceEachReferenceIsADefect() {
		assertThat(Loading.of(null, List.of(reference(1)), null).defect(reference(1)).reason())
			.contains("no PayloadSource here");
	}

	@ParameterizedTest
	@MethodSource("faultsOfAReference")
	void theReferenceWithWhichTheSourceThrowsIsFound(RuntimeException fault) {
		assertFound(17, 801, fault);
		assertThat(this.calls).hasSizeLessThan(50);
	}

	private void assertFound(int first, int second, RuntimeException fault) {
		Loading loading = load(1000, Set.of(first, second), fault);
		for (int i = 0; i < 1000; i++) {
			assertThat(loading.payload(reference(i)) == null).as("reference %d", i)
				.isEqualTo(i == first || i == second);
		}
		assertThat(loading.defect(reference(second)).reason()).contains(fault.toString());
		assertThat(loading.defect(reference(second)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
	}

	static List<RuntimeException> faultsOfAReference() {
		return List.of(new IllegalArgumentException("no UUID"), new NullPointerException(),
				new DataIntegrityViolationException("no UUID"));
	}

	@ParameterizedTest
	@MethodSource("unclearFaults")
	void aReferenceWithWhichTheSourceSeemsToBeAwayIsFound(RuntimeException fault) {
		assertFound(17, 451, fault);
		assertThat(this.calls).hasSizeLessThan(80);
	}

	static List<RuntimeException> unclearFaults() {
		return List.of(translated("raised by a function", "P0001"), translated("invalid page in block 7", "XX001"),
				translated("row is too big", "54000"), translated("could not read block 7", "58030"),
				translated("Packet for query is too large", "08S01"),
				translated("Packet for query is too large", "S1000"),
				new DataAccessResourceFailureException("the connection was closed"),
				new RecoverableDataAccessException("the connection was closed"),
				new UnexpectedRollbackException("marked as rollback-only"));
	}

	@Test
	void aSourceThatIsAwayIsAskedForAllAndForEachHalf() {
		Loading loading = load(1000, numbers(0, 1000), AWAY);
		assertThat(this.calls).containsExactly(1000, 500, 500);
		assertThat(loading.outage()).isSameAs(AWAY);
		assertThat(numbers(0, 1000)).allMatch((i) -> loading.defect(reference(i)).passing());
	}

	@Test
	void aSourceThatHasLoadedSomethingBeforeIsAskedForThat() {
		Loading loading = load(IntStream.range(0, 1000), numbers(0, 1001), AWAY, reference(1000));
		assertThat(this.calls).containsExactly(1000, 1);
		assertThat(loading.outage()).isSameAs(AWAY);
		assertThat(loading.known()).isEqualTo(reference(1000));
	}

	@Test
	void aReferenceThatIsAloneIsToBlameIfOneOfBeforeIsLoadedAgain() {
		Loading loading = load(IntStream.of(1), Set.of(1), AWAY, reference(7));
		assertThat(this.calls).containsExactly(1, 1, 1);
		assertThat(loading.defect(reference(1)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
	}

	@ParameterizedTest
	@NullSource
	@MethodSource("knownReferences")
	void aReferenceThatIsAloneWaitsIfNothingProvesThatTheSourceIsThere(@Nullable PayloadReference known) {
		Loading loading = load(IntStream.of(1), Set.of(1, 7), AWAY, known);
		assertThat(this.calls).hasSizeLessThanOrEqualTo(2);
		assertThat(loading.defect(reference(1)).passing()).isTrue();
		assertThat(loading.outage()).isSameAs(AWAY);
	}

	static List<PayloadReference> knownReferences() {
		// Away, to blame itself, and deleted
		return List.of(reference(7), reference(1), reference(DELETED));
	}

	@Test
	void culpritsInBothHalvesAreFoundIfSomethingWasLoadedBefore() {
		Loading loading = load(IntStream.range(0, 1000), Set.of(17, 801), AWAY, reference(1000));
		assertThat(numbers(0, 1000).stream().filter((i) -> loading.payload(reference(i)) == null))
			.containsExactlyInAnyOrder(17, 801);
		assertThat(loading.outage()).isNull();
		assertThat(this.calls).hasSizeLessThan(80);
	}

	@Test
	void aReferenceThatWasLoadedAndIsDamagedSinceIsNoOutageOfTheOthers() {
		Loading loading = load(IntStream.range(0, 10), Set.of(3), AWAY, reference(3));
		assertThat(loading.defect(reference(3)).passing()).isFalse();
		assertThat(numbers(4, 10)).allMatch((i) -> loading.payload(reference(i)) != null);
	}

	@Test
	void aReferenceThatWasDeletedSinceDoesNotHideThatTheSourceIsThere() {
		Loading loading = load(IntStream.range(0, 10), Set.of(3), AWAY, reference(DELETED));
		assertThat(loading.defect(reference(3)).passing()).isFalse();
		assertThat(loading.known()).isNotEqualTo(reference(DELETED));
	}

	@Test
	void aReferenceThatWasDeletedSinceMayBeRefusedAsWell() {
		List<PayloadReference> batch = List.of(reference(1), reference(2));
		Loading loading = Loading.of((references) -> {
			if (references.contains(reference(9))) {
				throw new EmptyResultDataAccessException(1);
			}
			return without(references, reference(2), AWAY);
		}, batch, reference(9));
		assertThat(loading.payload(reference(1))).isNotNull();
		assertThat(loading.defect(reference(2)).passing()).isFalse();
		assertThat(loading.outage()).isNull();
	}

	@Test
	void aSourceThatRefusesOneReferenceIsThereForTheOther() {
		RuntimeException refusal = new DataIntegrityViolationException("refused");
		Loading loading = Loading.of((references) -> {
			if (references.contains(reference(2))) {
				throw AWAY;
			}
			return without(references, reference(1), refusal);
		}, List.of(reference(1), reference(2)), null);
		assertThat(loading.defect(reference(1)).passing()).isFalse();
	}

	@Test
	void aSourceThatHadToWaitForAConnectionIsNotAskedAgain() {
		Loading loading = Loading.of((references) -> {
			this.calls.add(references.size());
			LockSupport.parkNanos(Duration.ofMillis(2100).toNanos());
			throw AWAY;
		}, List.of(reference(1), reference(2)), reference(9));
		assertThat(this.calls).hasSize(1);
		assertThat(loading.outage()).isSameAs(AWAY);
	}

	private static Map<PayloadReference, LoadedPayload> without(Collection<PayloadReference> references,
			PayloadReference culprit, RuntimeException fault) {
		if (references.contains(culprit)) {
			throw fault;
		}
		return references.stream()
			.collect(Collectors.toMap((reference) -> reference,
					(reference) -> new LoadedPayload(new byte[0], "text/plain")));
	}

	@Test
	void aConnectionThatWasLostIsNoFaultOfAReference() {
		Loading loading = Loading.of((references) -> {
			if (this.calls.isEmpty()) {
				this.calls.add(references.size());
				throw AWAY;
			}
			return payloads(references, Set.of(), AWAY);
		}, List.of(reference(1)), reference(7));
		assertThat(loading.payload(reference(1))).isNotNull();
		assertThat(loading.outage()).isNull();
	}

	@Test
	void aSourceThatGoesAwayWhileACulpritIsSoughtSpendsNoAttempt() {
		Loading loading = Loading.of((references) -> {
			Set<PayloadReference> throwing = (this.calls.size() < 6) ? Set.of(reference(1)) : Set.copyOf(references);
			return payloads(references, throwing, AWAY);
		}, IntStream.range(0, 1000).mapToObj(LoadingTests::reference).toList(), null);
		assertThat(loading.outage()).isSameAs(AWAY);
		assertThat(numbers(0, 1000))
			.allMatch((i) -> loading.payload(reference(i)) != null || loading.defect(reference(i)).passing());
	}

	@ParameterizedTest
	@MethodSource("unclearFaults")
	void aSourceThatAlwaysSeemsToBeAwayIsNotAskedForEver(RuntimeException fault) {
		load(IntStream.range(0, 2000), numbers(0, 2000), fault, reference(2000));
		assertThat(this.calls).hasSizeLessThan(100);
	}

	private static Set<Integer> numbers(int first, int end) {
		return IntStream.range(first, end).boxed().collect(Collectors.toSet());
	}

	private static RuntimeException translated(String message, String sqlState) {
		SQLException cause = new SQLException(message, sqlState);
		DataAccessException translated = new SQLExceptionSubclassTranslator().translate("load", null, cause);
		return (translated != null) ? translated : new UncategorizedSQLException("load", null, cause);
	}

	@ParameterizedTest
	@MethodSource("outages")
	void aSourceThatSaysThatItCannotBeReachedIsNoFaultOfAMessageAndIsNotAskedAgain(RuntimeException outage) {
		Loading loading = load(1000, Set.of(17), outage);
		assertThat(this.calls).containsExactly(1000);
		assertThat(loading.defect(reference(3)).reason()).contains(outage.toString());
		assertThat(loading.defect(reference(3)).passing()).isTrue();
		assertThat(loading.outage()).isSameAs(outage);
	}

	static List<RuntimeException> outages() {
		return List.of(new PayloadUnavailableException("away", null), new QueryTimeoutException("slow"),
				new CannotAcquireLockException("locked"), new CannotCreateTransactionException("away"),
				new TransactionTimedOutException("slow"));
	}

	@Test
	void aSourceThatAlwaysThrowsIsNotAskedForEver() {
		Set<Integer> all = numbers(0, 2000);
		Loading loading = load(2000, all, new IllegalStateException("broken"));
		assertThat(this.calls).hasSize(40);
		List<Defect> defects = all.stream().map((i) -> loading.defect(reference(i))).toList();
		assertThat(defects).extracting(Defect::passing).contains(true, false);
		assertThat(loading.outage()).isNotNull();
	}

	private Loading load(int count, Set<Integer> culprits, RuntimeException fault) {
		return load(IntStream.range(0, count), culprits, fault, null);
	}

	private Loading load(IntStream numbers, Set<Integer> culprits, RuntimeException fault,
			@Nullable PayloadReference known) {
		Set<PayloadReference> throwing = culprits.stream().map(LoadingTests::reference).collect(Collectors.toSet());
		return Loading.of((references) -> payloads(references, throwing, fault),
				numbers.mapToObj(LoadingTests::reference).toList(), known);
	}

	private Map<PayloadReference, LoadedPayload> payloads(Collection<PayloadReference> references,
			Set<PayloadReference> throwing, RuntimeException fault) {
		this.calls.add(references.size());
		Map<PayloadReference, LoadedPayload> payloads = new HashMap<>();
		for (PayloadReference reference : references) {
			if (throwing.contains(reference)) {
				throw fault;
			}
			int number = Integer.parseInt(reference.id().substring(3));
			if (number != DELETED) {
				payloads.put(reference, new LoadedPayload(new byte[] { (byte) number }, "text/plain"));
			}
		}
		return payloads;
	}

	private static PayloadReference reference(int number) {
		return new PayloadReference("order.placed", "id-" + number);
	}

}
