/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which worker gets which message, and when.
 */
@Tag("order")
@Timeout(60)
class PartitionClaimsTests {

	// A claim of so many messages takes one partition
	private static final int ONE_PARTITION = 8;

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	private ClaimWorker worker(int batchSize) {
		return ClaimWorker.of(this.tables, ClaimWorker.settings(true, batchSize));
	}

	// Of an instance that does not look by itself
	private ClaimWorker workerThatIsTold() {
		ClaimWorker worker = ClaimWorker.of(this.tables,
				new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(20), Duration.ofHours(1)));
		assertThat(worker.next()).as("the first poll").isNull();
		return worker;
	}

	@Test
	void aSequenceIsTheHeadOfAKeyAndWhatFollowsIt() {
		this.tables.commit("a", "b", "a");
		this.tables.commit("a");
		try (Claim claim = worker(100).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L, 3L, 4L), List.of(2L));
		}
	}

	@Test
	void keysOfOnePartitionAreSequencesOfTheirOwn() {
		List<String> keys = Keys.in(7, 2);
		this.tables.commit(keys.get(0), keys.get(1), keys.get(0), keys.get(1));
		try (Claim claim = worker(100).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L, 3L), List.of(2L, 4L));
		}
	}

	private static List<Long> positions(KeySequence sequence) {
		return sequence.messages().stream().map(StoredMessage::id).toList();
	}

	@Test
	void keysThatDifferInTrailingSpaceOrCaseAreDifferentKeys() {
		this.tables.commit("a", "a ", "A", "a", "a ", "A", "á");
		try (Claim claim = worker(100).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L, 4L), List.of(2L, 5L), List.of(3L, 6L), List.of(7L));
		}
	}

	@Test
	void whatALongKeyInAnyAlphabetIsCalledMakesNoDifference() {
		String key = "ключ 鍵 \uD83D\uDD11 ".repeat(20);
		this.tables.commit(key, "a", key);
		assertThat(worker(100).completeNext()).containsExactly(1L, 3L, 2L);
	}

	@Test
	void aPartitionIsClaimedOnceAtATime() {
		String key = Keys.in(3);
		this.tables.commit(key, Keys.in(5), key);
		ClaimWorker second = worker(100);
		try (Claim claim = worker(ONE_PARTITION).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L, 3L);
			this.tables.commit(key, Keys.in(3, 2).get(1));
			assertThat(second.completeNext()).containsExactly(2L);
			assertThat(second.next()).isNull();
			claim.complete(List.of(1L), List.of());
		}
		assertThat(claimedSoon(second)).containsExactly(3L, 4L, 5L);
	}

	@Test
	void theWorkersOfAnInstanceDoNotAskForThePartitionsOfOneAnother() {
		String key = Keys.in(3);
		this.tables.commit(key, key);
		ClaimWorker worker = worker(100);
		try (Claim claim = worker.colleague().next()) {
			List<String> statements = SqlLog.of(() -> assertThat(worker.next()).isNull());
			assertThat(statements).isNotEmpty().noneMatch((statement) -> statement.contains("skip locked"));
			assertThat(worker.rest()).isEqualTo(Claims.UNTIL_TOLD);
			claim.complete(List.of(1L), List.of());
		}
		assertThat(worker.completeNext()).containsExactly(2L);
	}

	@Test
	void whatIsNotCompletedIsClaimedAgainUnchanged() {
		this.tables.commit("a", "b", "a");
		worker(100).next().close();
		try (Claim claim = worker(100).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L, 3L), List.of(2L));
			assertThat(claim.sequences().get(0).messages()).extracting(StoredMessage::attempts).containsOnly(0);
		}
	}

	@Test
	void theSameWorkerClaimsAgainInOrderWhatItHasGivenUp() {
		this.tables.commit("a", "b", "a");
		ClaimWorker worker = worker(100);
		worker.next().close();
		this.tables.commit("a");
		assertThat(worker.completeNext()).containsExactly(1L, 3L, 4L, 2L);
	}

	@Test
	void whatWasNotSentInItsBatchIsNextInOrder() {
		this.tables.commit("a", "a", "b", "a");
		ClaimWorker worker = worker(100);
		try (Claim claim = worker.next()) {
			claim.complete(List.of(1L), List.of());
		}
		this.tables.commit("a");
		assertThat(worker.completeNext()).containsExactly(2L, 4L, 5L, 3L);
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aWorkerWhoseConnectionIsKilledLosesItsPartitionsAtOnce() {
		this.tables.commit("a", "b", "a");
		ClaimWorker first = worker(100);
		ClaimWorker second = worker(100);
		try (Claim claim = first.next()) {
			assertThat(ClaimWorker.ids(claim)).hasSize(3);
			assertThat(second.next()).isNull();
			this.tables.kill(first.connectionId());
			assertThat(claimedSoon(second)).isEqualTo(ClaimWorker.ids(claim));
		}
	}

	@Test
	void aWorkerWhoseSocketIsClosedLosesItsPartitionsAtOnce() {
		this.tables.commit("a", "b", "a");
		ClaimWorker first = worker(100);
		try (Claim claim = first.next()) {
			first.abort();
			assertThat(claimedSoon(worker(100))).isEqualTo(ClaimWorker.ids(claim));
		}
	}

	@Test
	void whatAnotherInstanceOwnsIsAskedForAgainAfterMilliseconds() {
		this.tables.commit("a");
		ClaimWorker second = workerThatPolls(Duration.ofHours(1));
		try (Claim claim = worker(100).next()) {
			assertThat(second.next()).isNull();
			assertThat(second.rest()).isLessThanOrEqualTo(Duration.ofMillis(5));
			claim.complete(List.of(), List.of());
		}
		assertThat(claimedSoon(second)).containsExactly(1L);
	}

	@Test
	void whatAnotherInstanceOwnsForLongIsAskedForLessOften() {
		this.tables.commit("a");
		ClaimWorker second = workerThatPolls(Duration.ofHours(1));
		try (Claim claim = worker(100).next()) {
			assertThat(ClaimWorker.ids(claim)).containsExactly(1L);
			Awaitility.await()
				.pollInSameThread()
				.atMost(Duration.ofSeconds(5))
				.pollInterval(Duration.ofMillis(5))
				.until(() -> second.next() == null && second.rest().compareTo(Duration.ofMillis(100)) > 0);
		}
	}

	private ClaimWorker workerThatPolls(Duration interval) {
		return ClaimWorker.of(this.tables,
				new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(20), interval));
	}

	@Test
	void whatIsCommittedHereIsClaimedWithoutAPoll() {
		ClaimWorker worker = workerThatIsTold();
		this.tables.commit(Keys.in(9));
		assertThat(worker.next()).as("before it is told").isNull();
		worker.store().committed(Set.of(9));
		assertThat(worker.completeNext()).containsExactly(1L);
	}

	@Test
	void whatIsCommittedWhileAColleagueOwnsThePartitionIsClaimedAfterwardsWithoutAPoll() {
		ClaimWorker worker = workerThatIsTold();
		ClaimWorker colleague = worker.colleague();
		this.tables.commit(Keys.in(9));
		worker.store().committed(Set.of(9));
		try (Claim claim = worker.next()) {
			this.tables.commit(Keys.in(9));
			worker.store().committed(Set.of(9));
			assertThat(colleague.next()).isNull();
			claim.complete(List.of(1L), List.of());
		}
		assertThat(colleague.completeNext()).containsExactly(2L);
	}

	@Test
	void whatIsLeftInALaneThatIsDueIsClaimedAtOnce() {
		ClaimWorker worker = workerThatIsTold();
		String key = Keys.in(9);
		this.tables.commit(key, key, key);
		worker.store().committed(Set.of(9));
		try (Claim claim = worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		worker.store().committed(Set.of(9));
		try (Claim claim = worker.next()) {
			claim.complete(List.of(1L), List.of());
		}
		assertThat(worker.completeNext()).containsExactly(2L, 3L);
	}

	@Test
	void aStoreThatIsNotToldWhereSomethingIsLooksEverywhere() {
		ClaimWorker worker = workerThatIsTold();
		this.tables.commit("a", "b");
		worker.store().committed(Set.of());
		assertThat(worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void anIdlePollIsOneStatement() {
		ClaimWorker worker = worker(100);
		assertThat(worker.next()).isNull();
		List<String> statements = SqlLog.of(() -> assertThat(worker.next()).isNull());
		assertThat(statements).filteredOn((statement) -> statement.contains("outbox_")).hasSize(1);
		assertThat(statements).noneMatch((statement) -> statement.startsWith("set"));
	}

	@Test
	void betweenTwoPollsNothingIsAskedWhereNothingIsToBeDone() {
		ClaimWorker worker = workerThatIsTold();
		assertThat(SqlLog.of(() -> assertThat(worker.next()).isNull())).isEmpty();
		assertThat(worker.rest()).isEqualTo(Claims.UNTIL_TOLD);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1000 })
	void aBatchCostsTheSameStatementsWhateverItsSize(int messages) {
		this.tables.fill(messages, 300);
		ClaimWorker worker = worker(10_000);
		worker.completeNext();
		this.tables.fill(messages, 300);
		List<String> statements = SqlLog.of(() -> assertThat(worker.completeNext()).hasSize(messages));
		assertThat(statements).filteredOn((statement) -> statement.contains("outbox_message"))
			.hasSizeBetween(3, 4)
			.last()
			.asString()
			.matches("(?s)delete.*|merge.* then delete");
	}

	@Test
	void messagesWithoutAKeyAreSequencesOfTheirOwn() {
		this.tables.commit("", "", "");
		try (Claim claim = worker(100).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L), List.of(2L), List.of(3L));
		}
	}

	@Test
	void inUnorderedModeEveryMessageIsASequenceOfItsOwn() {
		this.tables.commit("a", "a", "b");
		try (Claim claim = ClaimWorker.of(this.tables, ClaimWorker.settings(false, 100)).next()) {
			assertThat(claim.sequences()).extracting(PartitionClaimsTests::positions)
				.containsExactly(List.of(1L), List.of(2L), List.of(3L));
		}
	}

	@Test
	void everyKeyIsServedInOrderAndInTheEnd() {
		this.tables.fillWith(200, "stalled");
		this.tables.stall("id = 1");
		this.tables.fill(600, 300);
		Map<String, Long> lastOfKey = new HashMap<>();
		worker(8).drain(400).forEach((batch) -> {
			assertThat(batch).hasSizeLessThanOrEqualTo(10);
			batch.forEach((message) -> assertThat(message.id())
				.isGreaterThan(lastOfKey.getOrDefault(message.message().partitionKey(), 0L)));
			batch.forEach((message) -> lastOfKey.put(message.message().partitionKey(), message.id()));
		});
		assertThat(lastOfKey).hasSize(300);
		assertThat(this.tables.depth()).isEqualTo(200);
	}

	@Test
	void aClaimSaysWhetherThereIsSomethingForOtherWorkers() {
		this.tables.commit(Keys.in(1), Keys.in(2));
		try (Claim claim = worker(ONE_PARTITION).next()) {
			assertThat(claim.moreIsWaiting()).isTrue();
		}
		try (Claim claim = worker(100).next()) {
			assertThat(claim.moreIsWaiting()).isFalse();
		}
	}

	private static List<Long> claimedSoon(ClaimWorker worker) {
		List<Long> ids = new ArrayList<>();
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(5))
			.pollInterval(Duration.ofMillis(5))
			.until(() -> {
				try (Claim claim = worker.next()) {
					ids.addAll((claim != null) ? ClaimWorker.ids(claim) : List.of());
					return claim != null;
				}
			});
		return ids;
	}

}
