/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The life of a key whose head has failed, seen by one worker.
 */
@Tag("order")
@Timeout(60)
class ParkedKeyTests {

	private static final Duration LONG = Duration.ofHours(1);

	private static final List<String> KEYS = Keys.in(23, 3);

	private static final String KEY = KEYS.get(0);

	private static final String NEIGHBOUR = KEYS.get(1);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = worker(100);

	@AfterEach
	void close() {
		try {
			assertThat(LaneRules.broken(this.tables.jdbc(), true)).isEmpty();
		}
		finally {
			this.tables.close();
		}
	}

	private ClaimWorker worker(int batchSize) {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, batchSize));
	}

	@Test
	void aHeadThatFailsTakesWhatFollowsItToALaneOfTheirOwn() {
		this.tables.commit(KEY, NEIGHBOUR, KEY, NEIGHBOUR);
		complete(List.of(2L, 4L), FailedMessage.retried(1, "returned", LONG));
		assertThat(lanes()).containsExactly(-1L, -1L);
		assertThat(parked()).containsExactly(-1L);
	}

	@Test
	void aKeyThatIsSentInPartStaysWhereItIs() {
		this.tables.commit(KEY, NEIGHBOUR, KEY, NEIGHBOUR);
		complete(List.of(1L, 2L, 4L));
		assertThat(lanes()).containsExactly(23L);
		assertThat(this.worker.completeNext()).containsExactly(3L);
	}

	@Test
	void aKeyThatIsSentInPartAndHidesOthersTakesTheRestToALaneThatIsDue() {
		this.tables.fillWith(20, KEY);
		ClaimWorker small = worker(10);
		try (Claim claim = small.next()) {
			assertThat(ClaimWorker.ids(claim)).isEqualTo(OutboxTables.positions(1, 9));
			claim.complete(List.of(1L, 2L), List.of());
		}
		assertThat(parked()).containsExactly(-3L);
		assertThat(lanes().subList(0, 8)).containsOnly(-3L);
		assertThat(lanes().subList(8, 18)).containsOnly(23L);
		assertThat(small.drain(20).stream().flatMap(List::stream).map(StoredMessage::id).toList())
			.isEqualTo(OutboxTables.positions(3, 20));
		assertThat(parked()).isEmpty();
	}

	@Test
	void parkedKeysTakeTurns() {
		KEYS.forEach((key) -> this.tables.fillWith(30, key));
		this.tables.stall("TRUE");
		this.tables.makeDue();
		ClaimWorker small = worker(8);
		List<String> turns = new ArrayList<>();
		for (int claims = 0; claims < 4; claims++) {
			try (Claim claim = small.next()) {
				turns.addAll(ClaimWorker.keys(claim));
				claim.complete(ClaimWorker.ids(claim), List.of());
			}
		}
		assertThat(turns).containsAll(KEYS);
	}

	@Test
	void aLaneIsReadFromWhereTheLastClaimHasLeftIt() {
		this.tables.fillWith(30, KEY);
		this.tables.stall("TRUE");
		this.tables.makeDue();
		ClaimWorker small = worker(10);
		assertThat(small.completeNext()).containsExactly(1L, 2L, 3L, 4L, 5L);
		String rest = this.tables.outbox().dialect().sql().inLane(-1, 6, Long.MAX_VALUE).toLowerCase(Locale.ROOT);
		assertThat(SqlLog.of(small::completeNext)).anyMatch((statement) -> statement.contains(rest));
	}

	// A transaction that moved all of it could be too large for a server
	@Test
	void noMoreIsMovedAtOnceThanABatchHas() {
		this.tables.fillWith(40, KEY);
		long size = this.tables.jdbc().sql("SELECT MAX(payload_size) FROM outbox_message").query(Long.class).single();
		ClaimWorker small = ClaimWorker.of(this.tables,
				new ClaimSettings(true, 30, DataSize.ofBytes(10 * size), Duration.ofSeconds(30), Duration.ZERO));
		try (Claim claim = small.next()) {
			claim.complete(List.of(1L), List.of(FailedMessage.retried(2, "returned", LONG)));
		}
		assertThat(lanes().stream().filter((lane) -> lane == -2)).hasSize(10);
		assertThat(small.next()).as("the rest follows").isNull();
		assertThat(lanes()).hasSize(39).containsOnly(-2L);
	}

	@Test
	void whatFollowsAHeadThatWasDeletedByHandIsNotLost() {
		this.tables.commit(KEY, KEY, KEY);
		try (Claim claim = this.worker.next()) {
			this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id = 1").update();
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "returned", Duration.ZERO)));
		}
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L);
	}

	// Positions begin anew after TRUNCATE
	@Test
	void aLaneThatIsThereAlreadyIsThatOfTheKeyThatFailedLast() {
		this.tables.jdbc()
			.sql("INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at) VALUES (-1, 9, 7, 'old', '9999-12-31')")
			.update();
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "returned", LONG));
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void aPartitionThatExpectsALaneThatIsNotThereIsPutRight() {
		this.tables.commit(KEY);
		this.tables.jdbc().sql("UPDATE outbox_partition SET retry_at = UTC_TIMESTAMP(6) WHERE id IN (5, 23)").update();
		assertThat(this.worker.drain(10)).hasSize(1);
		assertThat(this.tables.column(Integer.class, "id", "outbox_partition WHERE retry_at IS NOT NULL")).isEmpty();
	}

	@Test
	void whatIsCommittedLaterFollowsUnsent() {
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "returned", LONG));
		this.tables.commit(KEY, NEIGHBOUR, KEY);
		assertThat(this.worker.completeNext()).containsExactly(3L);
		assertThat(lanes()).containsExactly(-1L, -1L, -1L);
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		assertThat(lanes()).containsExactly(-1L, -1L, -1L, -1L);
	}

	@Test
	void whenItIsDueTheKeyBeginsWithItsHeadAndGoesOnWithoutAGap() {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "returned", LONG));
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		this.tables.commit(KEY);
		makeDue(KEY);
		try (Claim claim = this.worker.next()) {
			assertThat(claim.sequences()).hasSize(1);
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 2L, 3L, 4L);
			claim.complete(List.of(1L, 2L, 3L, 4L), List.of());
		}
		assertThat(parked()).isEmpty();
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(5L);
	}

	@Test
	void whatIsCommittedWhileItIsSentAgainIsNotOvertaken() {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "returned", Duration.ZERO));
		List<Long> sent = new ArrayList<>();
		for (int phase = 0; phase < 6; phase++) {
			this.tables.commit(KEY, NEIGHBOUR, KEY);
			try (Claim claim = this.worker.next()) {
				this.tables.commit(KEY);
				List<Long> ids = claim.sequences()
					.stream()
					.filter((sequence) -> sequence.messages().get(0).message().partitionKey().equals(KEY))
					.flatMap((sequence) -> sequence.messages().stream().limit(2))
					.map(StoredMessage::id)
					.toList();
				sent.addAll(ids);
				claim.complete(ids, List.of());
			}
		}
		while (this.tables.depth() > 0) {
			sent.addAll(this.worker.completeNext());
		}
		assertThat(sent.stream().filter((id) -> !neighbours(6).contains(id))).isSorted().hasSize(20);
		assertThat(parked()).isEmpty();
	}

	// The second of four in each phase, after the first two
	private static List<Long> neighbours(int phases) {
		return LongStream.range(0, phases).map((phase) -> 4 + 4 * phase).boxed().toList();
	}

	@Test
	void aLaneIsReadInPartsAndWhatIsInFrontOfItStaysInFront() {
		this.tables.commit(Collections.nCopies(50, KEY).toArray(String[]::new));
		ClaimWorker small = worker(10);
		try (Claim claim = small.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "returned", LONG)));
		}
		assertThat(small.next()).as("all moves").isNull();
		assertThat(lanes()).containsOnly(-1L).hasSize(50);
		makeDue(KEY);
		this.tables.commit(KEY, KEY);
		List<Long> sent = new ArrayList<>();
		while (this.tables.depth() > 0) {
			sent.addAll(small.completeNext());
		}
		assertThat(sent).isEqualTo(OutboxTables.positions(1, 52));
		assertThat(parked()).as("the last one closes the lane").hasSizeLessThanOrEqualTo(1);
		assertThat(small.next()).isNull();
		assertThat(parked()).isEmpty();
	}

	@Test
	void aThousandMessagesBehindItAreMovedOnceEach() {
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "returned", LONG));
		this.tables.fillWith(1_000, KEY);
		this.tables.commit(NEIGHBOUR);
		List<Long> claimed = new ArrayList<>();
		this.worker.drain(3).forEach((batch) -> batch.forEach((message) -> claimed.add(message.id())));
		assertThat(claimed).as("behind it").hasSize(1);
		assertThat(lanes()).containsOnly(-1L).hasSize(1_001);
		assertThat(SqlLog.of(() -> assertThat(this.worker.next()).isNull())).as("the poll").hasSize(1);
	}

	@Test
	void aHeadThatFailsAgainKeepsItsLane() {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "twice", LONG));
		assertThat(lanes()).containsExactly(-1L, -1L, -1L);
		assertThat(this.worker.next()).isNull();
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 3L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void whenALaterMessageFailsTheKeyWaitsForThatOne() {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		this.tables.commit(KEY, KEY);
		complete(List.of(1L, 2L), FailedMessage.retried(3, "once", LONG));
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		assertThat(lanes()).as("those that came later as well").containsExactly(-1L, -1L, -1L);
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(3L, 4L, 5L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void aBlockedKeyWaitsForAnOperator() {
		this.tables.commit(KEY, KEY, NEIGHBOUR);
		complete(List.of(), FailedMessage.blocked(1, "returned"));
		assertThat(this.worker.completeNext()).containsExactly(3L);
		this.tables.commit(KEY);
		assertThat(this.worker.next()).isNull();
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 4L);
	}

	@Test
	void aDeadLetterInALaneMakesWay() {
		this.tables.commit(KEY, KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		complete(List.of(), FailedMessage.deadLetter(1, "given up"));
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L, 4L);
		assertThat(parked()).isEmpty();
	}

	// Positions that a set of hashes does not have in their order
	@Test
	void deadLettersOfOneClaimAreInTheOrderOfTheirPositions() {
		this.tables.commit(Stream.generate(() -> KEY).limit(17).toArray(String[]::new));
		complete(LongStream.rangeClosed(1, 14).boxed().toList(), FailedMessage.deadLetter(15, "given up"),
				FailedMessage.deadLetter(16, "given up"), FailedMessage.deadLetter(17, "given up"));
		assertThat(this.tables.column(Long.class, "position", "outbox_dead_letter")).containsExactly(15L, 16L, 17L);
	}

	@Test
	void theLastOneOfALaneMayBeADeadLetter() {
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		complete(List.of(), FailedMessage.deadLetter(1, "given up"));
		assertThat(parked()).isEmpty();
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(2L);
	}

	@Test
	void whatFailsBehindADeadLetterIsTheHead() {
		this.tables.commit(KEY, KEY, KEY);
		complete(List.of(), FailedMessage.deadLetter(1, "given up"), FailedMessage.retried(2, "once", LONG));
		assertThat(lanes()).containsExactly(-2L, -2L);
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(2L, 3L);
	}

	@Test
	void whatWasNotAnsweredBeforeAFailureIsTheHead() {
		this.tables.commit(KEY, KEY, KEY, KEY);
		complete(List.of(3L), FailedMessage.retried(2, "once", LONG));
		assertThat(lanes()).containsExactly(-1L, -1L, -1L);
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 4L);
		assertThat(parked()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPostponedKeyIsParkedAsWell(boolean forLong) {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.postponed(1, "no exchange", forLong ? LONG : Duration.ZERO));
		assertThat(lanes()).containsExactly(-1L, -1L);
		if (forLong) {
			assertThat(this.worker.next()).isNull();
			makeDue(KEY);
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void severalKeysOfOnePartitionAreDueOneByOne() {
		this.tables.commit(KEYS.get(0), KEYS.get(1), KEYS.get(2), KEYS.get(0), KEYS.get(1), KEYS.get(2));
		complete(List.of(), FailedMessage.retried(1, "once", LONG), FailedMessage.blocked(2, "once"),
				FailedMessage.retried(3, "once", Duration.ofHours(2)));
		assertThat(parked()).containsExactly(-1L, -2L, -3L);
		assertThat(this.worker.next()).isNull();
		makeDue(KEYS.get(2));
		assertThat(this.worker.completeNext()).containsExactly(3L, 6L);
		makeDue(KEYS.get(0));
		assertThat(this.worker.completeNext()).containsExactly(1L, 4L);
		assertThat(this.worker.next()).isNull();
		makeDue(KEYS.get(1));
		assertThat(this.worker.completeNext()).containsExactly(2L, 5L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void moreKeysThanFitIntoABatchAreDueOneAfterTheOther() {
		List<String> many = Keys.in(23, 40);
		this.tables.commit(many.toArray(String[]::new));
		complete(List.of(),
				OutboxTables.positions(1, 40)
					.stream()
					.map((id) -> FailedMessage.retried(id, "once", Duration.ZERO))
					.toArray(FailedMessage[]::new));
		ClaimWorker small = worker(8);
		List<Long> claimed = new ArrayList<>();
		small.drain(60).forEach((batch) -> batch.forEach((message) -> claimed.add(message.id())));
		assertThat(claimed).hasSize(40).doesNotHaveDuplicates();
		assertThat(parked()).isEmpty();
	}

	@Test
	void aKeyWhoseHashIsThatOfAParkedOneGoesOn() {
		String other = "plumless";
		String key = "buckeroo";
		assertThat(Partitions.hash(key)).isEqualTo(Partitions.hash(other));
		this.tables.commit(key, other);
		complete(List.of(), FailedMessage.retried(1, "once", LONG));
		this.tables.commit(key, other);
		assertThat(this.worker.completeNext()).containsExactly(2L, 4L);
		makeDue(key);
		assertThat(this.worker.completeNext()).containsExactly(1L, 3L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void amongMessagesBoundToNoOrderOnlyTheFailedOneWaits(boolean ordered) {
		ClaimWorker unbound = ClaimWorker.of(this.tables, ClaimWorker.settings(ordered, 100));
		String key = ordered ? "" : KEY;
		this.tables.commit(key, key, key);
		try (Claim claim = unbound.next()) {
			claim.complete(List.of(3L), List.of(FailedMessage.retried(1, "once", LONG)));
		}
		assertThat(unbound.completeNext()).containsExactly(2L);
		this.tables.commit(key);
		assertThat(unbound.completeNext()).containsExactly(4L);
		assertThat(lanes()).containsExactly(-1L);
		makeDue(key);
		try (Claim claim = unbound.next()) {
			assertThat(claim.sequences().get(0).messages().get(0).attempts()).isEqualTo(1);
			claim.complete(List.of(1L), List.of());
		}
		assertThat(parked()).isEmpty();
	}

	@Test
	void aLaneWhoseMessagesWereTakenAwayIsClosedWhenItIsDue() {
		this.tables.commit(KEY);
		complete(List.of(), FailedMessage.retried(1, "once", LONG));
		this.tables.jdbc().sql("DELETE FROM outbox_message").update();
		this.tables.commit(KEY);
		makeDue(KEY);
		assertThat(this.worker.completeNext()).containsExactly(2L);
		assertThat(parked()).isEmpty();
	}

	@Test
	void whatIsClaimedOfALaneAndGivenUpIsClaimedAgain() {
		this.tables.commit(KEY, KEY);
		complete(List.of(), FailedMessage.retried(1, "once", Duration.ZERO));
		this.tables.commit(KEY);
		this.worker.next().close();
		this.tables.commit(KEY);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 3L, 4L);
	}

	private void complete(List<Long> published, FailedMessage... failed) {
		try (Claim claim = this.worker.next()) {
			claim.complete(published, Arrays.asList(failed));
		}
	}

	private void makeDue(String key) {
		this.tables.jdbc()
			.sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE partition_key = ?")
			.param(key)
			.update();
		this.tables.refreshRetry();
	}

	private List<Long> lanes() {
		return this.tables.column(Long.class, "lane", "outbox_message");
	}

	private List<Long> parked() {
		return this.tables.jdbc().sql("SELECT lane FROM outbox_parked ORDER BY lane DESC").query(Long.class).list();
	}

}
