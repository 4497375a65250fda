/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.orderedoutbox.store.Claims;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which partitions a worker is given, and when it is worth asking.
 */
@Tag("unit")
class PartitionBoardTests {

	private static final int MANY = 100;

	private final AtomicLong clock = new AtomicLong(Duration.ofDays(1).toNanos());

	private PartitionBoard board = board(Duration.ofSeconds(1));

	private PartitionBoard board(Duration pollInterval) {
		return new PartitionBoard(64, pollInterval, this.clock::get);
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	@BeforeEach
	void join() {
		start();
	}

	// Past the beginning, when all partitions are given
	private void start() {
		this.board.join();
		this.board.take(MANY).forEach((id) -> this.board.release(id, false));
	}

	@Test
	void atTheBeginningAllAreGiven() {
		this.board = board(Duration.ofSeconds(1));
		this.board.join();
		assertThat(this.board.take(MANY)).isEqualTo(IntStream.range(0, 64).boxed().toList());
		assertThat(this.board.pollFrom()).isEmpty();
	}

	@Test
	void allAreGivenFromTheirStartsWhenAnythingMayHaveHappened() {
		this.board.cursor(5).moveTo("", 8, Map.of(), false);
		this.board.restart();
		assertThat(this.board.take(MANY)).hasSize(64);
		assertThat(this.board.cursor(5).next("")).isZero();
	}

	@Test
	void nothingIsGivenOfWhichNothingIsKnown() {
		assertThat(this.board.take(MANY)).isEmpty();
		assertThat(this.board.hasMore()).isFalse();
		assertThat(this.board.rest()).isEqualTo(Claims.UNTIL_TOLD);
	}

	@Test
	void whatWasCommittedIsGivenInItsOrderAndOnce() {
		this.board.committed(Set.of(5));
		this.board.committed(Set.of(3));
		this.board.committed(Set.of(5));
		assertThat(this.board.rest()).isEqualTo(Duration.ZERO);
		assertThat(this.board.take(MANY)).containsExactly(5, 3);
		assertThat(this.board.take(MANY)).isEmpty();
	}

	@Test
	void noMoreAreGivenThanWereAskedFor() {
		this.board.committed(Set.of(1, 2, 3));
		assertThat(this.board.take(2)).hasSize(2);
		assertThat(this.board.hasMore()).isTrue();
		assertThat(this.board.take(2)).hasSize(1);
		assertThat(this.board.hasMore()).isFalse();
	}

	@Test
	void aWorkerTakesItsFairShare() {
		IntStream.range(0, 3).forEach((worker) -> this.board.join());
		this.board.committed(ids(0, 64));
		assertThat(this.board.take(MANY)).hasSize(16);
		assertThat(this.board.take(MANY)).as("a quarter of what is left").hasSize(12);
		this.board.leave();
		this.board.leave();
		assertThat(this.board.take(MANY)).as("half of what is left").hasSize(18);
	}

	@Test
	void aWorkerTakesAFewInAnyCase() {
		IntStream.range(0, 15).forEach((worker) -> this.board.join());
		this.board.committed(ids(0, 10));
		assertThat(this.board.take(MANY)).hasSize(8);
	}

	@Test
	void theOnlyWorkerTakesThemAll() {
		this.board.committed(ids(0, 64));
		assertThat(this.board.take(MANY)).hasSize(64);
	}

	private static Set<Integer> ids(int first, int end) {
		return Set.copyOf(IntStream.range(first, end).boxed().toList());
	}

	@Test
	void whatIsCommittedWhileAPartitionIsTakenIsGivenAfterwards() {
		this.board.committed(Set.of(7));
		this.board.take(MANY);
		this.board.committed(Set.of(7));
		assertThat(this.board.take(MANY)).isEmpty();
		assertThat(this.board.rest()).isEqualTo(Claims.UNTIL_TOLD);
		this.board.release(7, false);
		assertThat(this.board.take(MANY)).containsExactly(7);
		this.board.release(7, false);
		assertThat(this.board.take(MANY)).as("but once").isEmpty();
	}

	@Test
	void whatIsLeftInAPartitionIsGivenAgainAfterTheOthers() {
		this.board.committed(Set.of(1));
		this.board.take(MANY);
		this.board.committed(Set.of(2));
		this.board.release(1, true);
		assertThat(this.board.take(MANY)).containsExactly(2, 1);
	}

	@Test
	void whatAnotherInstanceOwnsIsGivenAgainAfterMilliseconds() {
		contest(7);
		assertThat(this.board.take(MANY)).isEmpty();
		assertThat(this.board.rest()).isEqualTo(Duration.ofMillis(5));
		pass(Duration.ofMillis(5));
		assertThat(this.board.rest()).isEqualTo(Duration.ZERO);
		assertThat(this.board.take(MANY)).containsExactly(7);
	}

	@Test
	void whatAnotherInstanceOwnsForLongIsGivenLessOften() {
		Duration last = Duration.ZERO;
		contest(7);
		for (int time = 0; time < 10; time++) {
			Duration rest = this.board.rest();
			assertThat(rest).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(Duration.ofMillis(320));
			last = rest;
			pass(rest);
			assertThat(this.board.take(MANY)).containsExactly(7);
			this.board.contested(7);
		}
		assertThat(last).isEqualTo(Duration.ofMillis(320));
	}

	@Test
	void onceOwnedAPartitionIsGivenQuicklyAgain() {
		contest(7);
		pass(Duration.ofMillis(5));
		this.board.take(MANY);
		this.board.contested(7);
		pass(Duration.ofMillis(10));
		this.board.take(MANY);
		this.board.release(7, false);
		assertThat(this.board.rest()).isEqualTo(Claims.UNTIL_TOLD);
		contest(7);
		assertThat(this.board.rest()).isEqualTo(Duration.ofMillis(5));
	}

	@Test
	void whatIsCommittedToAPartitionThatAnotherInstanceOwnsIsGivenAtOnce() {
		contest(7);
		this.board.committed(Set.of(7));
		assertThat(this.board.take(MANY)).containsExactly(7);
	}

	@Test
	void whatIsCommittedWhileAnotherInstanceTurnsOutToOwnItIsNotForgotten() {
		this.board.committed(Set.of(7));
		this.board.take(MANY);
		this.board.committed(Set.of(7));
		this.board.contested(7);
		assertThat(this.board.rest()).isEqualTo(Duration.ZERO);
		assertThat(this.board.take(MANY)).containsExactly(7);
	}

	private void contest(int id) {
		this.board.committed(Set.of(id));
		assertThat(this.board.take(MANY)).containsExactly(id);
		this.board.contested(id);
	}

	@Test
	void theFirstPollIsDueAtOnceAndTheNextAfterAnInterval() {
		assertThat(this.board.beginPoll()).isTrue();
		this.board.endPoll("", List.of());
		pass(Duration.ofMillis(999));
		assertThat(this.board.beginPoll()).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void oneWorkerPollsAtATime() {
		assertThat(this.board.beginPoll()).isTrue();
		pass(Duration.ofSeconds(5));
		assertThat(this.board.beginPoll()).isFalse();
		this.board.endPoll("", List.of());
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void aPollIsWantedAtOnceWhenItIsNotKnownWhereSomethingIs() {
		assertThat(this.board.beginPoll()).isTrue();
		this.board.endPoll("", List.of());
		this.board.committed(Set.of());
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void whatIsSaidDuringAPollIsNoReasonNotToPollAgain() {
		assertThat(this.board.beginPoll()).isTrue();
		this.board.committed(Set.of());
		this.board.endPoll("", List.of());
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void aPollThatFailedIsRepeated() {
		assertThat(this.board.beginPoll()).isTrue();
		this.board.failPoll();
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void whatAPollHasFoundIsGiven() {
		this.board.beginPoll();
		this.board.endPoll("", List.of(4, 4, 9));
		assertThat(this.board.take(MANY)).containsExactly(4, 9);
	}

	@Test
	void aPollSaysNothingNewOfWhatAnotherInstanceOwns() {
		contest(4);
		this.board.beginPoll();
		this.board.endPoll("", List.of(4));
		assertThat(this.board.take(MANY)).isEmpty();
	}

	@Test
	void withoutAnIntervalAPollIsDueWheneverNothingIsQueued() {
		this.board = board(Duration.ZERO);
		start();
		assertThat(this.board.beginPoll()).isTrue();
		this.board.endPoll("", List.of(3));
		assertThat(this.board.beginPoll()).isFalse();
		this.board.take(MANY);
		assertThat(this.board.beginPoll()).isTrue();
	}

	@Test
	void aPollThatAnotherServerAnswersQueuesAll() {
		this.board.beginPoll();
		this.board.endPoll("primary", List.of());
		assertThat(this.board.take(MANY)).isEmpty();
		this.board.committed(Set.of());
		this.board.beginPoll();
		this.board.endPoll("replica", List.of());
		assertThat(this.board.take(MANY)).hasSize(64);
	}

	@Test
	void aPollLooksAtOnePartitionAfterTheOtherFromItsStart() {
		for (int id = 1; id < 70; id++) {
			PartitionCursor cursor = this.board.cursor(id % 64);
			cursor.begin("");
			cursor.moveTo("", 8, Map.of(), false);
			pass(Duration.ofSeconds(10));
			assertThat(this.board.beginPoll()).isTrue();
			assertThat(this.board.pollFrom()).containsEntry(id % 64, 0L);
			this.board.endPoll("", List.of(id % 64));
			assertThat(this.board.take(MANY)).containsExactly(id % 64);
			assertThat(cursor.begin("")).as("something is there").isZero();
			this.board.release(id % 64, false);
			pass(Duration.ofSeconds(1));
			assertThat(this.board.beginPoll()).isTrue();
			assertThat(this.board.pollFrom()).as("not so often").containsEntry(id % 64, 8L);
			this.board.endPoll("", List.of());
		}
	}

	@Test
	void aPartitionThatIsBusyIsReadFromItsStartByItsNextClaim() {
		this.board.cursor(1).begin("");
		this.board.cursor(1).moveTo("", 8, Map.of(), false);
		this.board.committed(Set.of(1));
		pass(Duration.ofSeconds(10));
		this.board.beginPoll();
		this.board.endPoll("", List.of());
		assertThat(this.board.cursor(1).begin("")).isZero();
		assertThat(this.board.cursor(1).begin("")).isEqualTo(8);
	}

	@Test
	void aPollLooksFromTheCursorsOfThoseOfWhichNothingIsKnown() {
		this.board.cursor(4).begin("");
		this.board.cursor(4).moveTo("", 8, Map.of(), false);
		assertThat(this.board.pollFrom()).hasSize(64).containsEntry(4, 8L);
		this.board.committed(Set.of(4));
		assertThat(this.board.pollFrom()).hasSize(63).doesNotContainKey(4);
		this.board.take(MANY);
		assertThat(this.board.pollFrom()).doesNotContainKey(4);
		this.board.release(4, false);
		assertThat(this.board.pollFrom()).containsEntry(4, 8L);
		contest(4);
		assertThat(this.board.pollFrom()).doesNotContainKey(4);
	}

}
