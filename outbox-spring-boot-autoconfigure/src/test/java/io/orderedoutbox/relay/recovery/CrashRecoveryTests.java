/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.SendingJournal;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is noted, what is sent, and what fails, step by step, on a journal and a store in
 * memory.
 */
@Tag("unit")
class CrashRecoveryTests {

	private final Journal journal = new Journal();

	private final Store store = new Store();

	private final Claims worker = worker();

	private Claims worker() {
		return new CrashRecovery(this.journal).around(() -> this.store).claims();
	}

	@Test
	void nothingIsNotedWhereNoInstanceHasEnded() {
		this.journal.left = List.of();
		this.store.has(0, sequence(1, 2), sequence(3));
		Claim claim = this.worker.next();
		assertThat(positions(claim)).containsExactly(1L, 2L, 3L);
		assertThat(this.journal.notes).isEmpty();
	}

	@Test
	void theFirstClaimOfEachPartitionIsNoted() {
		this.journal.left = List.of(Set.of());
		this.store.has(0, sequence(1, 2), sequence(3));
		end(this.worker.next(), 1, 2);
		this.store.has(0, sequence(3));
		end(this.worker.next(), 3);
		this.store.has(1, sequence(4));
		end(this.worker.next(), 4);
		assertThat(this.journal.notes).containsExactly(Set.of(1L, 2L, 3L), Set.of(), Set.of(4L), Set.of());
	}

	@Test
	void whatWorkersClaimAtTheSameTimeIsNotedTogether() {
		this.journal.left = List.of(Set.of());
		this.store.has(0, sequence(1));
		Claim first = this.worker.next();
		this.store.has(1, sequence(2));
		Claim second = this.worker.next();
		end(first, 1);
		end(second, 2);
		assertThat(this.journal.notes).containsExactly(Set.of(1L), Set.of(1L, 2L), Set.of(2L), Set.of());
	}

	@Test
	void suspectsAreTestedInASixteenthOfTheirListBesideAllOthers() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1, 2, 3, 4), sequence(5, 6), sequence(101, 102), sequence(103, 7, 104));
		Claim claim = this.worker.next();
		assertThat(positions(claim)).containsExactly(1L, 2L, 101L, 102L, 103L);
		assertThat(claim.moreIsWaiting()).isTrue();
		end(claim, 1, 2, 101, 102, 103);
		assertThat(this.journal.notes).containsExactly(Set.of(1L, 2L), Set.of());
		this.store.has(0, sequence(3, 4), sequence(5, 6), sequence(7, 104));
		assertThat(positions(this.worker.next())).containsExactly(3L, 4L);
	}

	@Test
	void oneGroupAtATimeIsTestedAndTheOthersKeepBackOnlyTheirKeys() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1, 2));
		Claim tested = this.worker.next();
		this.store.has(1, sequence(3, 101), sequence(102, 4));
		Claim beside = this.worker.next();
		assertThat(positions(beside)).containsExactly(102L);
		end(beside, 102);
		this.store.has(2, sequence(5));
		assertThat(this.worker.next()).as("only a suspect").isNull();
		assertThat(this.store.open).as("claims that hold partitions").containsExactly(0);
		end(tested, 1, 2);
		this.store.has(2, sequence(5));
		assertThat(positions(this.worker.next())).containsExactly(5L);
	}

	@Test
	void aFirstClaimThatWasPassedOverDuringATestIsNotedAfterIt() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1));
		Claim tested = this.worker.next();
		this.store.has(1, sequence(101));
		Claim first = this.worker.next();
		assertThat(this.journal.notes).containsExactly(Set.of(1L));
		end(tested, 1);
		assertThat(this.journal.notes).containsExactly(Set.of(1L), Set.of(101L));
		end(first, 101);
		assertThat(this.journal.notes).endsWith(Set.of());
	}

	@Test
	void theTurnEndsWhenTheBrokerIsSilentAndTheProcessLives() {
		this.journal.left = List.of(range(1, 16));
		this.store.has(0, sequence(1), sequence(2));
		Claim silent = this.worker.next();
		assertThat(positions(silent)).containsExactly(1L);
		silent.suspend();
		assertThat(this.journal.notes).containsExactly(Set.of(1L), Set.of());
		this.store.has(1, sequence(2));
		assertThat(positions(this.worker.next())).containsExactly(2L);
		silent.close();
		this.store.has(0, sequence(1), sequence(3));
		assertThat(positions(this.worker.next())).as("1 is no suspect any more").containsExactly(1L);
	}

	@Test
	void whatIsBehindASilentMessageOfItsKeyStaysSuspect() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1, 2));
		Claim silent = this.worker.next();
		assertThat(positions(silent)).containsExactly(1L, 2L);
		silent.suspend();
		silent.close();
		this.store.has(0, sequence(1, 2), sequence(3), sequence(4));
		assertThat(positions(this.worker.next())).containsExactly(1L, 2L, 3L);
	}

	@Test
	void whatIsOnlyRehearsedStaysSuspect() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1), sequence(2));
		Claim claim = this.worker.next();
		claim.rehearse(() -> claim.settle(List.of(1L, 2L), List.of()));
		end(claim, 1);
		this.store.has(0, sequence(2));
		this.worker.next();
		assertThat(this.journal.notes).endsWith(Set.of(2L));
	}

	@Test
	void whatAnotherDestinationKeptBackStaysSuspect() {
		this.journal.left = List.of(range(1, 16));
		this.store.has(0, sequence(1));
		Claim claim = this.worker.next();
		claim.settle(List.of(), List.of(FailedMessage.postponed(1, "paused", Duration.ofSeconds(1))));
		claim.suspend();
		claim.close();
		this.store.has(0, sequence(1), sequence(2));
		assertThat(positions(this.worker.next())).containsExactly(1L);
	}

	@Test
	void whatWasNotSentInTimeStaysSuspect() {
		this.journal.left = List.of(range(1, 32));
		this.store.has(0, sequence(1, 2));
		end(this.worker.next(), 1);
		this.store.has(0, sequence(2, 101));
		Claim next = this.worker.next();
		assertThat(this.journal.notes).endsWith(Set.of(2L));
		assertThat(positions(next)).containsExactly(2L, 101L);
	}

	@Test
	void aMessageThatWasAloneFailsWithoutBeingSent() {
		this.journal.left = List.of(Set.of(1L));
		this.store.has(0, sequence(1, 2), sequence(3));
		Claim claim = this.worker.next();
		assertThat(positions(claim)).containsExactly(1L, 2L, 3L);
		assertThat(defects(claim)).containsExactly(1L);
		assertThat(this.journal.notes).as("of what is sent").containsExactly(Set.of(2L, 3L));
	}

	@Test
	void ofSeveralInstancesOneSpendsTheAttempt() {
		this.journal.left = List.of(Set.of(1L));
		Claims other = worker();
		this.store.has(0, sequence(9));
		end(other.next(), 9);
		this.store.has(0, sequence(1));
		Claim convicted = this.worker.next();
		assertThat(defects(convicted)).containsExactly(1L);
		convicted.settle(List.of(), List.of(FailedMessage.retried(1, "it ended", Duration.ofSeconds(1))));
		convicted.commit();
		convicted.close();
		this.store.has(0, sequence(1), sequence(2));
		Claim second = other.next();
		assertThat(defects(second)).isEmpty();
		assertThat(this.journal.notes).endsWith(Set.of(1L));
	}

	@Test
	void anAttemptThatCouldNotBeStoredIsSpentByTheNextClaim() {
		this.journal.left = List.of(Set.of(1L));
		this.store.has(0, sequence(1));
		this.worker.next().close();
		this.store.has(0, sequence(1));
		assertThat(defects(this.worker.next())).containsExactly(1L);
	}

	@Test
	void afterItsAttemptAMessageIsTestedAlone() {
		this.journal.left = List.of(Set.of(1L), Set.of(2L, 3L));
		this.store.has(0, sequence(1));
		Claim convicted = this.worker.next();
		convicted.settle(List.of(), List.of(FailedMessage.retried(1, "it ended", Duration.ofSeconds(1))));
		convicted.commit();
		convicted.close();
		this.store.has(0, sequence(1), sequence(2), sequence(101));
		Claim again = this.worker.next();
		assertThat(positions(again)).containsExactly(1L, 101L);
		assertThat(defects(again)).isEmpty();
		assertThat(this.journal.notes).endsWith(Set.of(1L));
	}

	@Test
	void aJournalThatCannotBeWrittenHoldsNothingUp() {
		this.journal.left = List.of(range(1, 32));
		this.journal.broken = true;
		this.store.has(0, sequence(1, 2, 3), sequence(4));
		Claim claim = this.worker.next();
		assertThat(positions(claim)).containsExactly(1L, 2L, 3L, 4L);
		end(claim, 1, 2, 3, 4);
		assertThat(this.journal.failures).as("once, however long each takes").isOne();
		this.store.has(1, sequence(5));
		assertThat(positions(this.worker.next())).containsExactly(5L);
		assertThat(this.journal.failures).isOne();
	}

	private static void end(Claim claim, long... published) {
		claim.settle(LongStream.of(published).boxed().toList(), List.of());
		claim.commit();
		claim.close();
	}

	private static List<Long> positions(@Nullable Claim claim) {
		return messages(claim).stream().map(StoredMessage::id).toList();
	}

	private static List<Long> defects(@Nullable Claim claim) {
		return messages(claim).stream().filter((message) -> message.defect() != null).map(StoredMessage::id).toList();
	}

	private static List<StoredMessage> messages(@Nullable Claim claim) {
		assertThat(claim).isNotNull();
		return claim.sequences().stream().flatMap((sequence) -> sequence.messages().stream()).toList();
	}

	private static Set<Long> range(long from, long to) {
		return new TreeSet<>(LongStream.rangeClosed(from, to).boxed().toList());
	}

	private static KeySequence sequence(long... positions) {
		return new KeySequence(Arrays.stream(positions)
			.mapToObj((position) -> new StoredMessage(position,
					new Message(new UUID(0, position), "order.placed", "key", new Destination("", ""), "text/plain",
							new byte[0], Map.of()),
					Instant.EPOCH, 0, null))
			.toList());
	}

	private static final class Journal implements SendingJournal {

		private List<Set<Long>> left = List.of();

		private final Set<Long> forgotten = new HashSet<>();

		private final List<Set<Long>> notes = new ArrayList<>();

		private boolean broken;

		private int failures;

		@Override
		public List<Set<Long>> left() {
			return this.left;
		}

		@Override
		public void note(Collection<Long> positions) {
			if (this.broken) {
				this.failures++;
				throw new DataAccessResourceFailureException("no connection");
			}
			this.notes.add(Set.copyOf(positions));
		}

		@Override
		public boolean forget(long position) {
			return this.left.contains(Set.of(position)) && this.forgotten.add(position);
		}

	}

	/**
	 * Hands out one claim after the other.
	 */
	private static final class Store implements Claims {

		private final Deque<Claim> claims = new ArrayDeque<>();

		private final List<Integer> open = new ArrayList<>();

		void has(int partition, KeySequence... sequences) {
			this.claims.add(new OneClaim(partition, List.of(sequences)));
		}

		@Override
		public @Nullable Claim next() {
			OneClaim claim = (OneClaim) this.claims.poll();
			if (claim != null) {
				this.open.add(claim.partition);
			}
			return claim;
		}

		private final class OneClaim implements Claim {

			private final int partition;

			private final List<KeySequence> sequences;

			OneClaim(int partition, List<KeySequence> sequences) {
				this.partition = partition;
				this.sequences = sequences;
			}

			@Override
			public List<KeySequence> sequences() {
				return this.sequences;
			}

			@Override
			public Set<Integer> partitions() {
				return Set.of(this.partition);
			}

			@Override
			public boolean moreIsWaiting() {
				return false;
			}

			@Override
			public boolean renew() {
				return true;
			}

			@Override
			public void settle(Collection<Long> published, Collection<FailedMessage> failed) {
			}

			@Override
			public void commit() {
			}

			@Override
			public void close() {
				Store.this.open.remove((Integer) this.partition);
			}

		}

	}

}
