package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.store.OutboxTables.Worker;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Business transactions and the relay never wait for one another. Whoever waits for a
 * lock fails within two seconds here, see {@link OutboxTables}.
 */
@Timeout(120)
class BusinessTransactionTests {

	static Stream<Arguments> sizesAndIsolation() {
		return Stream.of(50, 100_000)
			.flatMap((size) -> Stream
				.of(TransactionDefinition.ISOLATION_READ_COMMITTED, TransactionDefinition.ISOLATION_REPEATABLE_READ,
						TransactionDefinition.ISOLATION_SERIALIZABLE)
				.map((isolation) -> Arguments.of(size, isolation)));
	}

	@ParameterizedTest
	@MethodSource("sizesAndIsolation")
	void writersDoNotWaitForAnOpenBatch(int messages, int isolation) {
		try (OutboxTables tables = new OutboxTables()) {
			tables.fill(messages, messages / 5);
			Worker worker = worker(tables);
			try (Claim claim = worker.next()) {
				List<Long> ids = Worker.ids(claim);
				write(tables, isolation);
				worker.jdbc().sql(tables.statements().delete).param(ids.subList(0, ids.size() / 2).toString()).update();
				worker.jdbc()
					.sql(tables.statements().fail)
					.param("[{\"id\": %d, \"attempt\": 1, \"delay\": 1, \"error\": \"x\"}]"
						.formatted(ids.get(ids.size() - 1)))
					.update();
				write(tables, isolation);
				claim.complete(ids, List.of());
				assertThat(tables.depth()).isEqualTo(messages + 8 - ids.size());
			}
		}
	}

	private static void write(OutboxTables tables, int isolation) {
		TransactionStatus transaction = tables.begin(isolation);
		tables.append("filler-1", "filler-2", "new", "");
		tables.commit(transaction);
	}

	@ParameterizedTest
	@MethodSource("sizesAndIsolation")
	void theRelayDoesNotWaitForOpenTransactions(int messages, int isolation) {
		try (OutboxTables tables = new OutboxTables()) {
			tables.fill(messages, messages / 5);
			TransactionStatus first = tables.begin(isolation);
			tables.append("filler-1", "filler-2", "new", "");
			Worker worker = worker(tables);
			List<Long> completed = new ArrayList<>();
			worker.drain(3).forEach((batch) -> batch.forEach((message) -> completed.add(message.id())));
			assertThat(completed).hasSizeGreaterThanOrEqualTo(Math.min(messages, 1000)).doesNotContain(messages + 1L);
			tables.commit(first);
			assertThat(tables.depth()).isEqualTo(messages + 4 - completed.size());
		}
	}

	private static Worker worker(OutboxTables tables) {
		return tables.worker(new ClaimSettings(true, 1000, DataSize.ofMegabytes(16), Duration.ofSeconds(20)));
	}

}
