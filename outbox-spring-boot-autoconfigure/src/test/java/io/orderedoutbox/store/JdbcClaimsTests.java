package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who gets which message, and when.
 */
@Tag("order")
@Timeout(60)
class JdbcClaimsTests {

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	private Worker worker(int batchSize) {
		return this.tables.worker(settings(batchSize, true));
	}

	private static ClaimSettings settings(int batchSize, boolean ordered) {
		return new ClaimSettings(ordered, batchSize, DataSize.ofMegabytes(1), Duration.ofSeconds(20));
	}

	@Test
	void runsAreTheKeysInOrder() {
		this.tables.commit("a", "b", "a");
		this.tables.commit("a");
		try (Claim claim = worker(100).next()) {
			assertThat(claim.runs()).hasSize(2);
			assertThat(claim.runs().get(0).messages()).extracting(StoredMessage::id).containsExactly(1L, 3L, 4L);
			assertThat(claim.runs().get(1).messages()).extracting(StoredMessage::id).containsExactly(2L);
		}
	}

	@Test
	void anIdleLookIsOneStatement() {
		Worker worker = worker(100);
		assertThat(worker.next()).isNull();
		List<String> statements = SqlLog.of(() -> assertThat(worker.next()).isNull());
		assertThat(statements).filteredOn((statement) -> statement.contains("outbox_message")).hasSize(1);
		assertThat(statements).noneMatch((statement) -> statement.startsWith("set"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 1000 })
	void aBatchCostsTheSameStatementsWhateverItsSize(int messages) {
		this.tables.fill(messages, 300);
		Worker worker = worker(10_000);
		List<String> statements = SqlLog.of(() -> assertThat(worker.drain(1).get(0)).hasSize(messages));
		assertThat(statements).filteredOn((statement) -> statement.contains("outbox_message"))
			.hasSizeBetween(3, 5)
			.last()
			.asString()
			.startsWith("delete");
	}

	@Test
	void whileTheHeadIsInFlightNothingOfItsKeyIsClaimable() {
		this.tables.commit("a", "b", "a");
		Worker first = worker(1);
		Worker second = worker(100);
		try (Claim claim = first.next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L);
			this.tables.commit("a");
			try (Claim other = second.next()) {
				assertThat(Worker.ids(other)).containsExactly(2L);
				other.complete(List.of(2L), List.of());
			}
			assertThat(second.next()).isNull();
			claim.complete(List.of(1L), List.of());
		}
		try (Claim next = second.next()) {
			assertThat(Worker.ids(next)).containsExactly(3L, 4L);
		}
	}

	@Test
	void whatIsNotCompletedIsClaimedAgainUnchanged() {
		this.tables.commit("a", "a");
		Worker first = worker(100);
		first.next().close();
		try (Claim claim = worker(100).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L);
			assertThat(claim.runs().get(0).messages()).extracting(StoredMessage::attempts).containsOnly(0);
		}
	}

	@Test
	void aWorkerWhoseConnectionIsKilledGivesUpItsKeysAtOnce() {
		this.tables.commit("a", "b", "a");
		Worker first = worker(100);
		Worker second = worker(100);
		try (Claim claim = first.next()) {
			assertThat(Worker.ids(claim)).hasSize(3);
			assertThat(second.next()).isNull();
			this.tables.jdbc().sql("KILL " + first.connectionId()).update();
			assertSecondGetsTheSame(second, claim);
		}
	}

	@Test
	void aWorkerWhoseSocketIsClosedGivesUpItsKeysAtOnce() {
		this.tables.commit("a", "b", "a");
		Worker first = worker(100);
		Worker second = worker(100);
		try (Claim claim = first.next()) {
			first.abort();
			assertSecondGetsTheSame(second, claim);
		}
	}

	private static void assertSecondGetsTheSame(Worker second, Claim claim) {
		List<Long> ids = new ArrayList<>();
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(5))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> {
				try (Claim again = second.next()) {
					ids.addAll((again != null) ? Worker.ids(again) : List.of());
					return again != null;
				}
			});
		assertThat(ids).isEqualTo(Worker.ids(claim));
	}

	@Test
	void aKeyWithAFailedHeadHoldsOnlyItself() {
		this.tables.commit("a", "b", "a", "b");
		Worker worker = worker(100);
		try (Claim claim = worker.next()) {
			claim.complete(List.of(2L, 4L), List.of(FailedMessage.retried(1, "refused", Duration.ofHours(1))));
		}
		this.tables.commit("a", "b");
		try (Claim claim = worker.next()) {
			assertThat(Worker.ids(claim)).containsExactly(6L);
		}
		this.tables.jdbc().sql("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE id = 1").update();
		try (Claim claim = worker.next()) {
			assertThat(claim.runs().get(0).messages()).extracting(StoredMessage::id).containsExactly(1L, 3L, 5L);
			assertThat(claim.runs().get(0).messages()).extracting(StoredMessage::attempts).containsExactly(1, 0, 0);
		}
		assertThat(this.tables.jdbc()
			.sql("SELECT last_error FROM outbox_message WHERE id = 1")
			.query(String.class)
			.single()).isEqualTo("refused");
	}

	@Test
	void aHeadThatFailedSinceItWasSeenIsNotClaimed() {
		this.tables.commit("a", "b", "a");
		Worker other = worker(1);
		Worker worker = this.tables.workerInterrupted(settings(100, true), () -> {
			try (Claim claim = other.next()) {
				claim.complete(List.of(), List.of(FailedMessage.retried(1, "refused", Duration.ofHours(1))));
			}
		});
		try (Claim claim = worker.next()) {
			assertThat(Worker.ids(claim)).containsExactly(2L);
		}
	}

	@Test
	void aHeadThatIsGoneSinceItWasSeenTakesItsRunWithIt() {
		this.tables.commit("a", "b", "a");
		Worker other = worker(1);
		Worker worker = this.tables.workerInterrupted(settings(100, true), () -> {
			assertThat(other.completeNext()).containsExactly(1L);
			this.tables.commit("a");
		});
		try (Claim claim = worker.next()) {
			assertThat(Worker.ids(claim)).containsExactly(2L);
			assertThat(other.completeNext()).as("the new head is free").containsExactly(3L);
		}
	}

	@Test
	void messagesWithoutAKeyNeverWaitForOneAnother() {
		this.tables.commit("", "", "", "");
		this.tables.delay("id = 2");
		try (Claim claim = worker(1).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L);
			try (Claim other = worker(100).next()) {
				assertThat(other.runs()).hasSize(2);
				assertThat(Worker.ids(other)).containsExactly(3L, 4L);
			}
		}
	}

	@Test
	void inUnorderedModeEveryMessageIsOnItsOwn() {
		this.tables.commit("a", "a", "a");
		this.tables.delay("id = 1");
		try (Claim claim = this.tables.worker(settings(100, false)).next()) {
			assertThat(claim.runs()).hasSize(2);
			assertThat(Worker.ids(claim)).containsExactly(2L, 3L);
		}
	}

	@Test
	void keysThatDifferInTrailingSpaceOrCaseAreDifferentKeys() {
		this.tables.commit("a", "a ", "A", "a", "a ", "A", "á");
		try (Claim claim = worker(1).next()) {
			assertThat(Worker.keys(claim)).containsExactly("a");
			try (Claim other = worker(100).next()) {
				assertThat(Worker.keys(other)).containsExactly("a ", "A", "á");
				assertThat(Worker.ids(other)).containsExactly(2L, 5L, 3L, 6L, 7L);
			}
		}
	}

	@Test
	void aKeyStalledWithMoreMessagesThanTheLargestWindowHoldsOnlyItself() {
		this.tables.fillWith(300, "stalled");
		this.tables.delay("id = 1");
		this.tables.commit("b", "c", "");
		assertThat(served(worker(10), 3)).containsExactlyInAnyOrder("b", "c", "");
		assertThat(this.tables.depth()).isEqualTo(300);
	}

	// Now and then it looks from the very start, which brings less
	@Test
	void aStalledBacklogCostsTheOthersHardlyAnyFurtherClaims() {
		this.tables.fillWith(5_000, "stalled");
		this.tables.fillWith(1_000, "");
		this.tables.delay("id = 1 OR partition_key = ''");
		this.tables.fill(5_000, 20);
		List<List<StoredMessage>> batches = worker(100).drain(400);
		assertThat(batches.stream().mapToInt(List::size).sum()).isEqualTo(5_000);
		assertThat(batches).hasSizeLessThanOrEqualTo(60);
		assertThat(this.tables.depth()).isEqualTo(6_000);
	}

	@Test
	void whereNoOrderIsKeptWhatWasGivenUpDoesNotWaitForTheNextFullLook() {
		this.tables.fill(200, 5);
		Worker worker = this.tables.worker(settings(10, false));
		worker.keepMark(1);
		worker.next().close();
		assertThat(worker.completeNext()).as("what was left of the look").isEqualTo(OutboxTables.positions(11, 20));
		assertThat(worker.completeNext()).isEqualTo(OutboxTables.positions(1, 10));
	}

	@Test
	void whereNoOrderIsKeptAThoroughWorkerMissesNothingThatWasGivenUp() {
		this.tables.fill(200, 5);
		Worker worker = this.tables.thoroughWorker(settings(10, false));
		Worker colleague = worker.colleague();
		for (int i = 0; i < 6; i++) {
			worker.completeNext();
			colleague.next().close();
		}
		assertThat(worker.drain(400).stream().mapToInt(List::size).sum()).isEqualTo(140);
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void whereNoOrderIsKeptWhatDidNotFitIntoAClaimDoesNotWaitForTheNextFullLook() {
		this.tables.fill(200, 5);
		long payload = this.tables.jdbc()
			.sql("SELECT payload_size FROM outbox_message WHERE id = 1")
			.query(Long.class)
			.single();
		Worker worker = this.tables
			.worker(new ClaimSettings(false, 10, DataSize.ofBytes(payload * 4), Duration.ofSeconds(20)));
		worker.keepMark(1);
		assertThat(worker.completeNext()).isEqualTo(OutboxTables.positions(1, 4));
		assertThat(worker.completeNext()).as("what was left of the look").isEqualTo(OutboxTables.positions(11, 14));
		assertThat(worker.completeNext()).isEqualTo(OutboxTables.positions(5, 8));
	}

	@Test
	void whereNoOrderIsKeptWhatHasFailedIsNotLookedForUntilTheNextFullLook() {
		this.tables.fill(200, 5);
		Worker worker = this.tables.worker(settings(10, false));
		worker.keepMark(1);
		try (Claim claim = worker.next()) {
			List<Long> ids = Worker.ids(claim);
			claim.complete(ids.subList(1, 10), List.of(FailedMessage.retried(ids.get(0), "returned", Duration.ZERO)));
		}
		worker.completeNext();
		assertThat(worker.completeNext()).isEqualTo(OutboxTables.positions(21, 30));
	}

	@Test
	void delayedMessagesWithoutAKeyHoldNobodyElse() {
		this.tables.fillWith(300, "");
		this.tables.delay("true");
		this.tables.commit("b", "", "c", "");
		assertThat(served(worker(10), 4)).containsExactlyInAnyOrder("b", "", "c", "");
	}

	@Test
	void delayedMessagesHoldNobodyElseInUnorderedMode() {
		this.tables.fillWith(300, "a");
		this.tables.delay("true");
		this.tables.commit("a", "", "a");
		assertThat(served(this.tables.worker(settings(10, false)), 3)).containsExactlyInAnyOrder("a", "", "a");
	}

	@Test
	void keysClaimedByOthersHoldNobodyElse() {
		this.tables.fill(200, 200);
		this.tables.commit("last");
		try (Claim claim = worker(200).next()) {
			assertThat(claim.runs()).hasSize(200);
			assertThat(served(worker(10), 1)).containsExactly("last");
		}
	}

	@Test
	void everyKeyIsServedInTheEnd() {
		this.tables.fillWith(200, "stalled");
		this.tables.delay("id = 1");
		this.tables.fill(600, 300);
		Map<String, Long> lastOfKey = new HashMap<>();
		List<List<StoredMessage>> batches = worker(8).drain(400);
		batches.forEach((batch) -> {
			assertThat(batch).hasSizeLessThanOrEqualTo(16);
			batch.forEach((message) -> assertThat(lastOfKey.put(message.message().partitionKey(), message.id()))
				.satisfiesAnyOf((last) -> assertThat(last).isNull(),
						(last) -> assertThat(last).isLessThan(message.id())));
		});
		assertThat(lastOfKey).hasSize(300);
		assertThat(this.tables.depth()).isEqualTo(200);
	}

	@Test
	void aKeyThatNeverEndsDoesNotKeepOthersWaiting() {
		this.tables.fillWith(500, "busy");
		this.tables.commit("b");
		Worker worker = worker(8);
		for (int claims = 1; claims <= 3; claims++) {
			try (Claim claim = worker.next()) {
				if (Worker.keys(claim).contains("b")) {
					return;
				}
				claim.complete(Worker.ids(claim), List.of());
			}
		}
		assertThat(false).as("key b was not served within three claims").isTrue();
	}

	@Test
	void aCommitBelowTheMarkIsNeverOvertaken() {
		Worker worker = worker(2);
		List<Long> claimed = new ArrayList<>();
		try (Claim others = lateCommitBelowTheMarkOf(worker)) {
			assertThat(worker.mark()).isGreaterThan(1);
			claimed.addAll(worker.completeNext());
			assertThat(claimed).as("12 was seen above the mark, and is not the head").isNotEmpty().doesNotContain(12L);
			others.complete(Worker.ids(others), List.of());
		}
		worker.drain(5).forEach((batch) -> batch.forEach((message) -> claimed.add(message.id())));
		assertThat(claimed).containsExactlyInAnyOrder(1L, 12L, 13L).containsSubsequence(1L, 12L);
	}

	// Its owner waited for us to give it up
	@Test
	void aHeadThatWasNoneIsNotHeld() {
		Worker worker = worker(2);
		try (Claim others = lateCommitBelowTheMarkOf(worker);
				Claim claim = worker.next();
				Claim last = worker(100).next()) {
			assertThat(Worker.ids(last)).doesNotContainAnyElementsOf(Worker.ids(claim));
			last.complete(Worker.ids(last), List.of());
			claim.complete(Worker.ids(claim), List.of());
			others.complete(Worker.ids(others), List.of());
		}
	}

	// The next window from the mark shows 12, key "late", and 13, while others have the
	// rest in their hands; 1, key "late", is below
	private Claim lateCommitBelowTheMarkOf(Worker worker) {
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("late");
		this.tables.commit("b", "c", "d", "e", "f", "g", "h", "i", "j", "k");
		assertThat(worker.completeNext()).containsExactly(2L, 3L);
		assertThat(worker.completeNext()).containsExactly(4L, 5L);
		worker.keepMark(10);
		Claim others = worker(100).next();
		assertThat(Worker.ids(others)).containsExactly(6L, 7L, 8L, 9L, 10L, 11L);
		this.tables.commit(late);
		this.tables.commit("late", "l");
		return others;
	}

	@Test
	void aWindowIsAsLargeAsTheWorkersNeedThatHaveNotEnded() {
		this.tables.fill(20, 20);
		Worker worker = worker(2);
		assertThat(headsInView(worker)).isEqualTo(4);
		List<Worker> others = Stream.generate(worker::colleague).limit(5).toList();
		assertThat(headsInView(worker)).isEqualTo(12);
		others.forEach((other) -> other.claims().end());
		assertThat(headsInView(worker)).isEqualTo(4);
	}

	// Such as one whose keys are in the hands of other instances
	@Test
	void aWindowThatShowsTooLittleGrowsQuicklyAndShrinksSlowly() {
		this.tables.fill(60, 60);
		Worker worker = worker(4);
		assertThat(headsInView(worker, false)).isEqualTo(8);
		assertThat(headsInView(worker, false)).isEqualTo(16);
		assertThat(headsInView(worker, true)).as("the largest").isEqualTo(24);
		assertThat(headsInView(worker, true)).isEqualTo(22);
		assertThat(headsInView(worker, false)).isEqualTo(20);
		assertThat(headsInView(worker, true)).isEqualTo(24);
		for (int time = 0; time < 10; time++) {
			headsInView(worker, true);
		}
		assertThat(headsInView(worker, true)).as("the smallest").isEqualTo(8);
	}

	private static int headsInView(Worker worker) {
		return headsInView(worker, true);
	}

	private static int headsInView(Worker worker, boolean enough) {
		Scan scan = worker.scan();
		Window window = scan.look((run) -> false);
		scan.adapt(window, enough ? window.candidates() : window.candidates().subList(0, 1));
		return window.candidates().size();
	}

	@Test
	void aKeyOutsideTheLargestWindowIsServedFromItsHead() {
		this.tables.fillWith(300, "stalled");
		this.tables.delay("id = 1");
		this.tables.commit("b", "b");
		long head = this.tables.jdbc()
			.sql("SELECT MIN(id) FROM outbox_message WHERE partition_key = 'b'")
			.query(Long.class)
			.single();
		try (Claim claim = worker(2).next()) {
			assertThat(Worker.ids(claim)).containsExactly(head);
		}
	}

	@Test
	void aClaimIsCutAtItsSize() {
		this.tables.commit("a", "a", "a", "b", "b", "c", "d");
		try (Claim claim = worker(4).next()) {
			assertThat(Worker.ids(claim)).as("one of each key").containsExactly(1L, 4L, 6L, 7L);
			assertThat(claim.moreIsWaiting()).as("for others").isFalse();
		}
		try (Claim claim = worker(2).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 4L);
			assertThat(claim.moreIsWaiting()).as("for others").isTrue();
		}
		this.tables.commit("a", "b", "b");
		try (Claim claim = worker(8).next()) {
			assertThat(Worker.ids(claim)).as("two of each key").containsExactly(1L, 2L, 4L, 5L, 6L, 7L);
		}
	}

	@Test
	void aClaimTakesAsMuchOfAKeyAsFitsBesideTheOthers() {
		this.tables.commit("a", "a", "a", "a", "a", "a", "b", "b", "", "c");
		try (Claim claim = worker(8).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L, 3L, 4L, 7L, 8L, 9L, 10L);
		}
	}

	@Test
	void aClaimIsCutAtItsBytes() {
		this.tables.commit("a", "a", "a", "b");
		ClaimSettings settings = new ClaimSettings(true, 100, DataSize.ofBytes(250), Duration.ofSeconds(20));
		try (Claim claim = this.tables.worker(settings).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L);
		}
	}

	@Test
	void aMessageLargerThanAClaimMayBeIsAClaimOfItsOwn() {
		this.tables.commit("a", "a", "b");
		ClaimSettings settings = new ClaimSettings(true, 100, DataSize.ofBytes(50), Duration.ofSeconds(20));
		try (Claim claim = this.tables.worker(settings).next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L);
		}
	}

	@Test
	void aDamagedMessageHoldsOnlyItsKey() {
		this.tables.commit("a", "b", "c", "a");
		this.tables.jdbc().sql("UPDATE outbox_message SET headers = '{broken' WHERE id = 1").update();
		this.tables.jdbc().sql("UPDATE outbox_message SET message_id = 'no uuid' WHERE id = 2").update();
		try (Claim claim = worker(100).next()) {
			Map<Long, StoredMessage> byId = claim.runs()
				.stream()
				.flatMap((run) -> run.messages().stream())
				.collect(Collectors.toMap(StoredMessage::id, (message) -> message));
			assertThat(byId.keySet()).isEqualTo(Set.of(1L, 2L, 3L, 4L));
			assertThat(byId.get(1L).defect()).contains("damaged");
			assertThat(byId.get(2L).defect()).contains("damaged");
			assertThat(byId.get(3L).defect()).isNull();
			assertThat(byId.get(4L).defect()).isNull();
		}
	}

	private List<String> served(Worker worker, int messages) {
		List<String> keys = new ArrayList<>();
		worker.drain(80).forEach((batch) -> batch.forEach((message) -> keys.add(message.message().partitionKey())));
		assertThat(keys).hasSize(messages);
		return keys;
	}

}
