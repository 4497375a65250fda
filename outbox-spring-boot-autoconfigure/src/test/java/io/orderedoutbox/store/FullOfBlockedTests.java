package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;

import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More keys wait for an operator than a window shows: whoever has been round all of them
 * in vain rests, and misses nothing that comes.
 */
@Tag("order")
@Timeout(60)
class FullOfBlockedTests {

	private static final int KEYS = 3_000;

	private static final int BATCH = 10;

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, BATCH, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	@BeforeEach
	void block() {
		this.tables.fill(KEYS, KEYS);
		this.tables.block("true");
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aRoundInVainIsNotRepeatedAtOnce() {
		Worker worker = this.tables.worker(SETTINGS);
		assertThat(statements(() -> assertThat(worker.next()).isNull())).as("a round of all keys")
			.hasSizeGreaterThan(KEYS / BATCH);
		assertThat(statements(() -> {
			for (int poll = 0; poll < 5; poll++) {
				assertThat(worker.next()).isNull();
			}
		})).as("five polls").hasSizeLessThanOrEqualTo(10);
	}

	@Test
	void theWorkersOfAnInstanceRestTogether() {
		Worker worker = this.tables.worker(SETTINGS);
		Worker colleague = worker.colleague();
		assertThat(worker.next()).isNull();
		assertThat(statements(() -> assertThat(colleague.next()).isNull())).hasSizeLessThanOrEqualTo(3);
	}

	@Test
	void whatIsCommittedMeanwhileIsFoundAtOnce() {
		Worker worker = this.tables.worker(SETTINGS);
		for (int time = 0; time < 3; time++) {
			assertThat(worker.next()).isNull();
			this.tables.commit("fresh", "", "filler-7");
			try (Claim claim = worker.next()) {
				assertThat(Worker.keys(claim)).containsExactly("fresh", "");
				claim.complete(Worker.ids(claim), List.of());
			}
		}
		assertThat(this.tables.depth()).isEqualTo(KEYS + 3);
	}

	@Test
	void whereTheWindowShowsAllNothingIsDelayed() {
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id > 2 * " + BATCH).update();
		Worker worker = this.tables.worker(SETTINGS);
		for (int time = 1; time <= 3; time++) {
			assertThat(worker.next()).isNull();
			makeDue("filler-" + time);
			try (Claim claim = worker.next()) {
				assertThat(Worker.keys(claim)).containsExactly("filler-" + time);
				claim.complete(Worker.ids(claim), List.of());
			}
		}
	}

	@Test
	void whatBecomesDueIsFoundSoon() {
		Worker worker = this.tables.worker(SETTINGS);
		assertThat(worker.next()).isNull();
		makeDue("filler-2500");
		assertSoon(worker, "filler-2500");
	}

	// It was written before the round and committed after it
	@Test
	void aLateCommitIsFoundSoon() {
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.append("late");
		this.tables.commit("filler-7");
		Worker worker = this.tables.worker(SETTINGS);
		assertThat(worker.next()).isNull();
		this.tables.commit(late);
		assertSoon(worker, "late");
	}

	private static void assertSoon(Worker worker, String key) {
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(20))
			.pollInterval(Duration.ofMillis(50))
			.untilAsserted(() -> {
				try (Claim claim = worker.next()) {
					assertThat(claim).isNotNull();
					assertThat(Worker.keys(claim)).containsExactly(key);
				}
			});
	}

	// Behind what another instance has in its hands there may be more, anywhere
	@Test
	void aRoundThatSawSomethingInOtherHandsIsNotInVain() {
		makeDue("filler-2500");
		Worker other = this.tables.worker(SETTINGS);
		Worker worker = this.tables.worker(SETTINGS);
		try (Claim held = other.next()) {
			assertThat(Worker.keys(held)).containsExactly("filler-2500");
			assertThat(worker.next()).isNull();
		}
		try (Claim claim = worker.next()) {
			assertThat(Worker.keys(claim)).containsExactly("filler-2500");
		}
	}

	@Test
	void aThoroughStoreLooksEverywhereEachTime() {
		Worker worker = this.tables.thoroughWorker(SETTINGS);
		for (int time = 0; time < 2; time++) {
			assertThat(statements(() -> assertThat(worker.next()).isNull())).hasSizeGreaterThan(KEYS / BATCH);
		}
		makeDue("filler-2500");
		try (Claim claim = worker.next()) {
			assertThat(Worker.keys(claim)).containsExactly("filler-2500");
		}
	}

	private void makeDue(String key) {
		this.tables.jdbc()
			.sql("UPDATE outbox_message SET available_at = UTC_TIMESTAMP(6) WHERE partition_key = ?")
			.param(key)
			.update();
	}

	private static List<String> statements(Runnable work) {
		return SqlLog.of(work).stream().filter((statement) -> statement.contains("outbox_message")).toList();
	}

}
