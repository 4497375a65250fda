/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.RequiresPostgreSql;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OwnThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On PostgreSQL a rollback to a savepoint gives back the stripes that were locked since.
 */
@RequiresPostgreSql
@Timeout(60)
class SavepointTests {

	private final OutboxTables tables = new OutboxTables();

	// Of one partition
	private final List<String> keys = keys(this.tables);

	private static List<String> keys(OutboxTables tables) {
		return IntStream.iterate(0, (number) -> number + 1)
			.mapToObj((number) -> "key-" + number)
			.filter((key) -> tables.partition(key) == 11)
			.limit(2)
			.toList();
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatIsStoredAfterARollbackToASavepointIsBehindWhatOthersHaveStoredMeanwhile() throws Exception {
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		Object savepoint = transaction.createSavepoint();
		this.tables.append(this.keys.get(0));
		transaction.rollbackToSavepoint(savepoint);
		transaction.releaseSavepoint(savepoint);
		CountDownLatch stored = new CountDownLatch(1);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> storeAndWait(stored), OwnThread.OWN_THREAD);
		stored.await();
		// Waits until the other one is committed
		this.tables.append(this.keys.get(0));
		this.tables.commit(transaction);
		other.join();
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message"))
			.containsExactly(this.keys.get(1), this.keys.get(0));
	}

	private void storeAndWait(CountDownLatch stored) {
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.append(this.keys.get(1));
		stored.countDown();
		LockWait.await(JdbcClient.create(this.tables.withoutPool()));
		this.tables.commit(transaction);
	}

	@Test
	void whatWasStoredBeforeTheSavepointKeepsItsStripe() {
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.append(this.keys.get(0));
		Object savepoint = transaction.createSavepoint();
		this.tables.append(this.keys.get(0));
		transaction.rollbackToSavepoint(savepoint);
		CompletableFuture<Void> other = CompletableFuture.runAsync(() -> this.tables.commit(this.keys.get(1)),
				OwnThread.OWN_THREAD);
		LockWait.await(JdbcClient.create(this.tables.withoutPool()));
		this.tables.commit(transaction);
		other.join();
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message"))
			.containsExactly(this.keys.get(0), this.keys.get(1));
	}

}
