/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A store that refuses to store what became of some messages: the others are completed,
 * and nothing is lost.
 */
@Tag("unit")
class BatchCompletionTests {

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private final MemoryClaim claim = new MemoryClaim();

	private Results results = results(3, OnExhausted.BLOCK);

	@Test
	void aBatchThatIsNotRefusedIsSettledAtOnce() {
		publish(1, 100);
		assertThat(complete()).isNull();
		assertThat(this.claim.gone).hasSize(100);
		assertThat(this.claim.calls).isOne();
		assertThat(this.claim.committed).isTrue();
	}

	@Test
	void theMessageThatCannotBeRemovedHasFailedAndTheOthersAreCompleted() {
		publish(1, 1000);
		this.claim.irremovable.add(700L);
		assertThat(complete()).isNull();
		assertThat(this.claim.gone).hasSize(999).doesNotContain(700L);
		assertThat(this.claim.failed).containsOnlyKeys(700L);
		FailedMessage culprit = this.claim.failed.get(700L);
		assertThat(culprit.fate()).isEqualTo(Fate.RETRIED);
		assertThat(culprit.delay()).isEqualTo(Duration.ofSeconds(1));
		assertThat(culprit.error()).startsWith("published, but it could not be removed from the outbox: ")
			.contains("a row refers to it")
			.doesNotContain("DELETE");
		assertThat(this.claim.calls).as("calls to find one of 1,000").isLessThan(25);
		assertThat(this.claim.committed).isTrue();
	}

	@Test
	void whoIsToldOfTheBatchHearsWhatWasStored() {
		publish(1, 10);
		fail(11);
		this.claim.irremovable.add(3L);
		complete();
		assertThat(this.results.published()).containsExactlyInAnyOrder(1L, 2L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
		assertThat(this.results.failures()).extracting((failed) -> failed.message().id())
			.containsExactlyInAnyOrder(3L, 11L);
		assertThat(this.results.failures()).extracting(Failed::reason)
			.containsExactlyInAnyOrder(FailureReason.NOT_REMOVED, FailureReason.RETURNED);
	}

	@Test
	void aBatchThatIsSuspendedIsCompletedInTwoParts() {
		publish(1, 3);
		fail(11);
		BatchCompletion completion = new BatchCompletion(this.claim, this.results);
		completion.suspend();
		assertThat(this.claim.gone).containsExactly(1L, 2L, 3L);
		assertThat(this.claim.failed).containsOnlyKeys(11L);
		publish(4, 5);
		fail(12);
		assertThat(completion.complete()).isNull();
		assertThat(this.claim.gone).containsExactly(1L, 2L, 3L, 4L, 5L);
		assertThat(this.claim.failed).containsOnlyKeys(11L, 12L);
		assertThat(this.results.published()).containsExactly(1L, 2L, 3L, 4L, 5L);
	}

	@Test
	void aCulpritIsFoundInABatchThatIsSuspendedAsWell() {
		publish(1, 10);
		this.claim.irremovable.add(3L);
		BatchCompletion completion = new BatchCompletion(this.claim, this.results);
		completion.suspend();
		publish(11, 11);
		completion.complete();
		assertThat(this.claim.gone).hasSize(10).contains(11L).doesNotContain(3L);
		assertThat(this.claim.failed).containsOnlyKeys(3L);
		assertThat(this.results.published()).hasSize(10).doesNotContain(3L);
	}

	@Test
	void whatBecomesKnownLateIsCompletedButForTheCulprit() {
		publish(1, 10);
		BatchCompletion completion = new BatchCompletion(this.claim, this.results);
		completion.suspend();
		publish(11, 30);
		fail(31);
		this.claim.irremovable.add(20L);
		assertThat(completion.complete()).isSameAs(this.claim.error);
		assertThat(this.claim.gone).hasSize(29).doesNotContain(20L);
		assertThat(this.results.published()).hasSize(29).doesNotContain(20L);
		assertThat(this.results.failures()).isEmpty();
	}

	@Test
	void severalCulpritsAreAllFound() {
		publish(1, 1000);
		List<Long> culprits = List.of(1L, 2L, 500L, 501L, 999L, 1000L);
		this.claim.irremovable.addAll(culprits);
		assertThat(complete()).isNull();
		assertThat(this.claim.failed.keySet()).containsExactlyElementsOf(culprits);
		assertThat(this.claim.gone).hasSize(994);
	}

	@Test
	void aSingleMessageThatCannotBeRemovedHasFailed() {
		publish(1, 1);
		this.claim.irremovable.add(1L);
		assertThat(complete()).isNull();
		assertThat(this.claim.failed).containsOnlyKeys(1L);
		assertThat(this.claim.gone).isEmpty();
	}

	@Test
	void aCulpritThatHasUsedUpItsAttemptsIsBlocked() {
		this.results.published(message(1, 2), 0);
		this.results.published(message(2, 0), 0);
		this.claim.irremovable.add(1L);
		assertThat(complete()).isNull();
		assertThat(this.claim.failed.get(1L).fate()).isEqualTo(Fate.BLOCKED);
		assertThat(this.claim.gone).containsExactly(2L);
	}

	@Test
	void aCulpritThatCannotEvenBecomeADeadLetterIsBlocked() {
		this.results = results(3, OnExhausted.DEAD_LETTER);
		this.results.published(message(1, 2), 0);
		this.results.published(message(2, 0), 0);
		this.claim.irremovable.add(1L);
		assertThat(complete()).isNull();
		assertThat(this.claim.failed.get(1L).fate()).isEqualTo(Fate.BLOCKED);
		assertThat(this.claim.gone).containsExactly(2L);
	}

	@Test
	void aDeadLetterThatIsRefusedIsBlockedAndSaysBothErrors() {
		this.results = results(1, OnExhausted.DEAD_LETTER);
		fail(1, 2, 3);
		publish(4, 10);
		this.claim.irremovable.add(2L);
		assertThat(complete()).isNull();
		assertThat(this.claim.gone).hasSize(9).doesNotContain(2L);
		assertThat(this.claim.failed.get(2L).fate()).isEqualTo(Fate.BLOCKED);
		assertThat(this.claim.failed.get(2L).error()).startsWith("returned").contains("a row refers to it");
	}

	@Test
	void aDeadLetterThatWaitsTooLongForALockStaysAsItIs() {
		this.results = results(1, OnExhausted.DEAD_LETTER);
		fail(1, 2);
		publish(3, 10);
		this.claim.irremovable.add(2L);
		this.claim.error = new CannotAcquireLockException("waited too long");
		assertThat(complete()).isSameAs(this.claim.error);
		assertThat(this.claim.gone).hasSize(9).doesNotContain(2L);
		assertThat(this.claim.failed).as("neither blocked nor an attempt spent").isEmpty();
		assertThat(this.results.failures()).extracting((failed) -> failed.message().id()).containsExactly(1L);
	}

	@Test
	void aCulpritThatWaitsTooLongToBecomeADeadLetterStaysAsItIs() {
		this.results = results(3, OnExhausted.DEAD_LETTER);
		this.results.published(message(1, 2), 0);
		this.results.published(message(2, 0), 0);
		this.claim.irremovable.add(1L);
		this.claim.notBuried = new CannotAcquireLockException("waited too long");
		assertThat(complete()).isSameAs(this.claim.notBuried);
		assertThat(this.claim.gone).containsExactly(2L);
		assertThat(this.claim.failed).isEmpty();
	}

	@Test
	void aMessageOfWhichNothingCanBeStoredStaysAsItIsAndTheErrorIsTold() {
		publish(1, 10);
		this.claim.irremovable.add(5L);
		this.claim.unchangeable.add(5L);
		assertThat(complete()).isInstanceOf(DataIntegrityViolationException.class);
		assertThat(this.claim.gone).hasSize(9).doesNotContain(5L);
		assertThat(this.claim.failed).isEmpty();
		assertThat(this.claim.committed).isTrue();
		assertThat(this.results.published()).doesNotContain(5L);
		assertThat(this.results.failures()).isEmpty();
	}

	@Test
	void aStoreThatRefusesEverythingIsNotAskedForEver() {
		publish(1, 1000);
		LongStream.rangeClosed(1, 1000).forEach(this.claim.irremovable::add);
		assertThat(complete()).isInstanceOf(DataIntegrityViolationException.class);
		assertThat(this.claim.calls).isLessThan(100);
		assertThat(this.claim.gone).isEmpty();
		assertThat(this.claim.failed).hasSize(20);
		assertThat(this.results.published()).isEmpty();
	}

	static Stream<DataAccessException> errorsOfAnyKind() {
		return Stream.of(new InvalidDataAccessResourceUsageException("no such table"),
				new PermissionDeniedDataAccessException("no right", null),
				new UncategorizedSQLException("", "", new SQLException("table is full")));
	}

	@ParameterizedTest
	@MethodSource("errorsOfAnyKind")
	void theCulpritIsFoundWhateverTheErrorIs(DataAccessException error) {
		publish(1, 21);
		this.claim.irremovable.add(7L);
		this.claim.error = error;
		assertThat(complete()).isNull();
		assertThat(this.claim.gone).hasSize(20).doesNotContain(7L);
		assertThat(this.claim.failed).containsOnlyKeys(7L);
	}

	@ParameterizedTest
	@MethodSource("errorsOfAnyKind")
	void whatTheStoreRefusesForAllMessagesSpendsNoAttempt(DataAccessException error) {
		publish(1, 1000);
		LongStream.rangeClosed(1, 1000).forEach(this.claim.irremovable::add);
		this.claim.error = error;
		assertThat(complete()).isSameAs(error);
		assertThat(this.claim.gone).isEmpty();
		assertThat(this.claim.failed).isEmpty();
		assertThat(this.claim.calls).isLessThan(100);
		assertThat(this.results.isEmpty()).isTrue();
	}

	@ParameterizedTest
	@MethodSource("errorsOfAnyKind")
	void aMessageThatHasFailedAtTheBrokerBeforeIsNoCulpritWhereNothingCanBeRemoved(DataAccessException error) {
		this.results.published(message(1, 1), 0);
		this.results.published(message(2, 0), 0);
		this.claim.irremovable.addAll(List.of(1L, 2L));
		this.claim.error = error;
		assertThat(complete()).isSameAs(error);
		assertThat(this.claim.failed).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("errorsOfAnyKind")
	void aCulpritThatWasFoundBeforeIsOneAlsoWhenItIsAlone(DataAccessException error) {
		StoredMessage found = message(1, 1);
		this.results.published(new StoredMessage(1, found.message(), found.createdAt(), found.availableAt(),
				found.attempts(), found.defect(), true), 0);
		this.claim.irremovable.add(1L);
		this.claim.error = error;
		assertThat(complete()).isNull();
		assertThat(this.claim.failed).containsOnlyKeys(1L);
	}

	@Test
	void whatFailsIsStoredAlthoughNothingCanBeRemoved() {
		publish(1, 10);
		fail(11);
		LongStream.rangeClosed(1, 10).forEach(this.claim.irremovable::add);
		this.claim.error = new PermissionDeniedDataAccessException("no right", null);
		assertThat(complete()).isSameAs(this.claim.error);
		assertThat(this.claim.failed).containsOnlyKeys(11L);
	}

	@Test
	void deadLettersWithoutATableAreBlockedAndAllThatWasPublishedIsCompleted() {
		this.results = results(1, OnExhausted.DEAD_LETTER);
		publish(1, 500);
		fail(LongStream.rangeClosed(501, 600).toArray());
		LongStream.rangeClosed(501, 600).forEach(this.claim.irremovable::add);
		this.claim.error = new InvalidDataAccessResourceUsageException("no such table");
		assertThat(complete()).isSameAs(this.claim.error);
		assertThat(this.claim.gone).hasSize(500);
		assertThat(this.claim.failed.values()).hasSize(20).allMatch((failed) -> failed.fate() == Fate.BLOCKED);
	}

	@Test
	void whatAnotherHasLockedStaysAsItIsAndIsNotSearchedFor() {
		publish(1, 1000);
		this.claim.locked.addAll(List.of(7L, 8L, 900L));
		assertThat(complete()).isInstanceOf(CannotAcquireLockException.class);
		assertThat(this.claim.gone).hasSize(997).doesNotContain(7L, 8L, 900L);
		assertThat(this.claim.failed).isEmpty();
		assertThat(this.claim.calls).as("calls, each of which may wait for the lock").isEqualTo(2);
		assertThat(this.claim.committed).isTrue();
	}

	@Test
	void aLockThatIsNotOnAMessageIsFoundAsWellAndSpendsNoAttempt() {
		publish(1, 21);
		this.claim.irremovable.add(7L);
		this.claim.error = new CannotAcquireLockException("waited too long");
		assertThat(complete()).isSameAs(this.claim.error);
		assertThat(this.claim.gone).hasSize(20).doesNotContain(7L);
		assertThat(this.claim.failed).isEmpty();
	}

	@Test
	void aLockThatAllMessagesWaitForIsNotWaitedForAgainAndAgain() {
		publish(1, 1000);
		fail(1001, 1002);
		LongStream.rangeClosed(1, 1000).forEach(this.claim.irremovable::add);
		this.claim.error = new CannotAcquireLockException("waited too long");
		assertThat(complete()).isSameAs(this.claim.error);
		assertThat(this.claim.calls).as("calls, each of which waits for the lock but the last").isEqualTo(5);
		assertThat(this.claim.gone).isEmpty();
		assertThat(this.claim.failed).containsOnlyKeys(1001L, 1002L);
		assertThat(this.results.published()).isEmpty();
	}

	@Test
	void deadLettersThatAllWaitForALockAreNotTriedOneByOne() {
		this.results = results(1, OnExhausted.DEAD_LETTER);
		publish(1, 100);
		fail(LongStream.rangeClosed(101, 200).toArray());
		this.claim.notBuried = new CannotAcquireLockException("waited too long");
		assertThat(complete()).isSameAs(this.claim.notBuried);
		assertThat(this.claim.calls).isEqualTo(5);
		assertThat(this.claim.gone).hasSize(100);
		assertThat(this.claim.failed).isEmpty();
	}

	@Test
	void whatBecomesKnownLateWaitsForALockOfAllOnlyAFewTimes() {
		publish(1, 10);
		BatchCompletion completion = new BatchCompletion(this.claim, this.results);
		completion.suspend();
		publish(11, 1000);
		LongStream.rangeClosed(11, 1000).forEach(this.claim.irremovable::add);
		this.claim.error = new CannotAcquireLockException("waited too long");
		this.claim.calls = 0;
		assertThat(completion.complete()).isSameAs(this.claim.error);
		assertThat(this.claim.calls).isEqualTo(4);
		assertThat(this.results.published()).hasSize(10);
	}

	@Test
	void whereNothingCanBeParkedWhatWasPublishedIsCompleted() {
		publish(1, 10);
		fail(11);
		this.claim.notCommitted = new UncategorizedSQLException("", "", new SQLException("table is full"));
		assertThat(complete()).isSameAs(this.claim.notCommitted);
		assertThat(this.claim.gone).hasSize(10);
		assertThat(this.claim.failed).isEmpty();
		assertThat(this.claim.committed).isTrue();
		assertThat(this.results.published()).hasSize(10);
		assertThat(this.results.failures()).isEmpty();
	}

	@Test
	void whenTheClaimIsLostWithTheCommitNothingIsCompleted() {
		publish(1, 10);
		this.claim.notCommitted = new CannotAcquireLockException("deadlock");
		this.claim.lost = true;
		assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this::complete);
		assertThat(this.claim.committed).isFalse();
	}

	@Test
	void aConnectionThatWasLostIsBecauseOfNoMessage() {
		publish(1, 10);
		LongStream.rangeClosed(1, 10).forEach(this.claim.irremovable::add);
		this.claim.error = new DataAccessResourceFailureException("lost");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this::complete).isSameAs(this.claim.error);
		assertThat(this.claim.calls).isOne();
		assertThat(this.claim.committed).isFalse();
	}

	@Test
	void whenTheClaimIsLostNoCulpritIsSought() {
		publish(1, 10);
		this.claim.irremovable.add(5L);
		this.claim.lost = true;
		assertThatExceptionOfType(DataIntegrityViolationException.class).isThrownBy(this::complete);
		assertThat(this.claim.calls).isOne();
		assertThat(this.claim.committed).isFalse();
	}

	private @Nullable DataAccessException complete() {
		return new BatchCompletion(this.claim, this.results).complete();
	}

	private void publish(long first, long last) {
		LongStream.rangeClosed(first, last).forEach((id) -> this.results.published(message(id, 0), 0));
	}

	private void fail(long... ids) {
		for (long id : ids) {
			this.results.failed(message(id, 0), FailureReason.RETURNED, "returned");
		}
	}

	private static Results results(int maxAttempts, OnExhausted onExhausted) {
		return new Results(new FailurePolicy(BACK_OFF, maxAttempts, onExhausted));
	}

	private static StoredMessage message(long id, int attempts) {
		Message message = new Message(new UUID(0, id), "order.placed", "a", new Destination("", "key"), "text/plain",
				new byte[0], Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, attempts, null);
	}

	/**
	 * A claim in memory that keeps to the contract: a call that is refused stores
	 * nothing.
	 */
	private static final class MemoryClaim extends StandingClaim {

		private final Set<Long> irremovable = new HashSet<>();

		private final Set<Long> unchangeable = new HashSet<>();

		private final Set<Long> gone = new TreeSet<>();

		private final Map<Long, FailedMessage> failed = new TreeMap<>();

		private final Set<Long> locked = new HashSet<>();

		private DataAccessException error = new DataIntegrityViolationException("DELETE m FROM outbox_message m",
				new SQLIntegrityConstraintViolationException("a row refers to it"));

		private DataAccessException notCommitted;

		private DataAccessException notBuried;

		private boolean lost;

		private boolean committed;

		private int calls;

		MemoryClaim() {
			super(List.<KeySequence>of());
		}

		@Override
		public boolean renew() {
			return !this.lost;
		}

		@Override
		public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
			this.calls++;
			if (published.stream().anyMatch(this.locked::contains)) {
				throw new CannotAcquireLockException("waited too long");
			}
			List<Long> leaving = new ArrayList<>(published);
			for (FailedMessage message : failed) {
				refuseIf(this.unchangeable.contains(message.id()));
				if (message.fate() == Fate.DEAD_LETTER) {
					if (this.notBuried != null) {
						throw this.notBuried;
					}
					leaving.add(message.id());
				}
			}
			refuseIf(leaving.stream().anyMatch(this.irremovable::contains));
			this.gone.addAll(leaving);
			failed.stream()
				.filter((message) -> message.fate() != Fate.DEAD_LETTER)
				.forEach((message) -> this.failed.put(message.id(), message));
		}

		private void refuseIf(boolean refused) {
			if (refused) {
				throw this.error;
			}
		}

		@Override
		public Set<Long> locked() {
			return this.locked;
		}

		@Override
		public void settleLate(Collection<Long> published, Collection<FailedMessage> failed) {
			assertThat(this.committed || this.notCommitted != null).isTrue();
			this.calls++;
			refuseIf(published.stream().anyMatch(this.irremovable::contains));
			this.committed = true;
			this.gone.addAll(published);
			failed.forEach((message) -> this.failed.put(message.id(), message));
		}

		@Override
		public void commit() {
			assertThat(this.committed).isFalse();
			if (this.notCommitted != null) {
				this.gone.clear();
				this.failed.clear();
				throw this.notCommitted;
			}
			this.committed = true;
		}

	}

}
