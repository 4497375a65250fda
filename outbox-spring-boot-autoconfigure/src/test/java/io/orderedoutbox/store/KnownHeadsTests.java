package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A window that begins at a mark: whose head is known is not asked about, and who is not
 * known well enough is.
 */
@Tag("order")
@Timeout(60)
class KnownHeadsTests {

	private final OutboxTables tables = new OutboxTables();

	private String server = "primary";

	@AfterEach
	void close() {
		this.tables.close();
	}

	private Worker worker(int batchSize) {
		Worker worker = this.tables.workerOn(() -> this.server,
				new ClaimSettings(true, batchSize, DataSize.ofMegabytes(1), Duration.ofSeconds(20)));
		Marks.alwaysUsedBy((JdbcRelayStore) worker.store());
		return worker;
	}

	@Test
	void whoeverHasSeenTheHeadsNeedNotAskForThemAgain() {
		this.tables.fill(120, 12);
		Worker worker = worker(20);
		List<Long> claimed = new ArrayList<>(worker.completeNext());
		assertThat(worker.mark()).isPositive();
		worker.keepMark(worker.mark());
		List<String> statements = SqlLog
			.of(() -> worker.drain(20).forEach((batch) -> batch.forEach((message) -> claimed.add(message.id()))));
		assertThat(claimed).hasSize(120).doesNotHaveDuplicates();
		boolean seenInOrder = this.tables.statements().dialect().hasAtomicSnapshots();
		assertThat(statements).filteredOn(KnownHeadsTests::asksForHeads)
			.matches((asked) -> asked.isEmpty() == seenInOrder);
	}

	private static boolean asksForHeads(String statement) {
		return statement.contains("select e.id");
	}

	@Test
	void aKnownKeyIsNotOvertakenByItselfWhenItCommitsBelowTheMark() {
		this.tables.commit("late", "a", "b", "c", "d");
		Worker worker = worker(2);
		List<Long> claimed = new ArrayList<>(worker.completeNext());
		assertThat(claimed).containsExactly(1L, 2L);
		TransactionStatus late = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("late");
		this.tables.commit("e", "f", "g", "h");
		claimed.addAll(worker.completeNext());
		worker.keepMark(7);
		this.tables.commit(late);
		this.tables.commit("late");
		worker.drain(10).forEach((batch) -> batch.forEach((message) -> claimed.add(message.id())));
		assertThat(claimed).hasSize(11).doesNotHaveDuplicates().containsSubsequence(1L, 6L, 11L);
	}

	@Test
	void whatIsKnownIsForgottenOnAnotherServer() {
		this.tables.fill(120, 12);
		Worker worker = worker(20);
		worker.completeNext();
		worker.keepMark(worker.mark());
		this.server = "replica";
		List<String> statements = SqlLog.of(() -> worker.completeNext());
		assertThat(statements).filteredOn(KnownHeadsTests::asksForHeads).hasSize(1);
	}

	@Test
	void whatIsKnownIsForgottenWhenAClaimIsGivenUp() {
		this.tables.fill(120, 12);
		Worker worker = worker(20);
		worker.completeNext();
		// What is left of the look from the very start, where heads need not be asked for
		worker.colleague().completeNext();
		worker.keepMark(worker.mark());
		worker.next().close();
		List<String> statements = SqlLog.of(() -> worker.completeNext());
		assertThat(statements).filteredOn(KnownHeadsTests::asksForHeads).hasSize(1);
	}

}
