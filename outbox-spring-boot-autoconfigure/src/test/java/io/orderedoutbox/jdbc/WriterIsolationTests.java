/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.orderedoutbox.testing.OwnThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Transactions of the application at any isolation: a stripe is locked and never changed,
 * so that no database has a reason to refuse the second of two writers.
 */
@Timeout(120)
class WriterIsolationTests {

	private static final int WRITERS = 4;

	private static final int ROUNDS = 25;

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.ISOLATION_READ_COMMITTED,
			TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void writersOfOneKeyAllCommitWhateverTheirIsolation(int isolation) throws Exception {
		List<CompletableFuture<Void>> writers = IntStream.range(0, WRITERS)
			.mapToObj((writer) -> CompletableFuture.runAsync(() -> write(isolation), OwnThread.OWN_THREAD))
			.toList();
		for (CompletableFuture<Void> writer : writers) {
			writer.get(60, TimeUnit.SECONDS);
		}
		assertThat(this.tables.depth()).isEqualTo(WRITERS * ROUNDS * 3);
	}

	private void write(int isolation) {
		for (int round = 0; round < ROUNDS; round++) {
			TransactionStatus transaction = this.tables.begin(isolation);
			// The snapshot is older than what others commit before the stripe is theirs
			this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_pause").query(Long.class).single();
			this.tables.append("a");
			this.tables.append("a", "z");
			this.tables.commit(transaction);
		}
	}

}
