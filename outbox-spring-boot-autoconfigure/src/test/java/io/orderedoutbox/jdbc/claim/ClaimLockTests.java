/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OwnThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No claim waits for a writer, and no writer for a claim. In these tables a lock is
 * waited for two seconds.
 */
@Tag("order")
@Timeout(60)
class ClaimLockTests {

	private static final int PARTITION = 30;

	private static final List<String> KEYS = Keys.in(PARTITION, 2);

	private static final String KEY = KEYS.get(0);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 100));

	@AfterEach
	void close() {
		this.tables.close();
	}

	private TransactionStatus begin() {
		return this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
	}

	// The writer's row is the next one in the order of the primary key
	@ParameterizedTest
	@ValueSource(ints = { PARTITION, PARTITION + 1, PARTITION + 20 })
	void whatIsDeletedIsNotTheNextRowOfAWriter(int partitionOfTheWriter) {
		this.tables.commit(KEY, KEY, KEY);
		TransactionStatus writing = begin();
		this.tables.append(Keys.in(partitionOfTheWriter));
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L, 3L);
		this.tables.commit(writing);
	}

	@Test
	void whatIsDeletedInSeveralPiecesIsNotTheNextRowOfAWriter() {
		this.tables.commit(KEY, KEYS.get(1), KEY, KEYS.get(1), KEY, KEYS.get(1));
		TransactionStatus writing = begin();
		this.tables.append(Keys.in(PARTITION), Keys.in(PARTITION + 1));
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(1L, 3L, 5L, 6L), List.of());
		}
		this.tables.commit(writing);
		assertThat(this.tables.column(Long.class, "id", "outbox_message")).containsExactly(2L, 4L, 7L, 8L);
	}

	@Test
	void aKeyThatIsParkedDoesNotWaitForAWriterOfTheSameKey() {
		this.tables.commit(KEY, KEY);
		TransactionStatus writing = begin();
		this.tables.append(KEY);
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "once", Duration.ZERO)));
		}
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		this.tables.commit(writing);
		assertThat(this.worker.completeNext()).containsExactly(3L);
	}

	@Test
	void aClaimIsMadeWhileWritersHoldAllStripes() {
		this.tables.commit(KEY);
		TransactionStatus writing = begin();
		this.tables.jdbc().sql("SELECT id FROM outbox_stripe FOR UPDATE").query(Long.class).list();
		assertThat(this.worker.completeNext()).containsExactly(1L);
		this.tables.commit(writing);
	}

	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.ISOLATION_READ_COMMITTED,
			TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void aWriterDoesNotWaitForAClaim(int isolation) {
		this.tables.commit(KEY, KEY);
		try (Claim claim = this.worker.next()) {
			claim.settle(List.of(1L), List.of(FailedMessage.retried(2, "once", Duration.ZERO)));
			TransactionStatus writing = this.tables.begin(isolation);
			this.tables.append(KEY, KEYS.get(1), "");
			this.tables.commit(writing);
			claim.commit();
		}
		assertThat(this.worker.completeNext()).hasSize(4).startsWith(2L, 3L);
	}

	@Test
	void aSingleMessageTakesItsPositionAfterTheLockOfItsStripe() throws Exception {
		TransactionStatus first = begin();
		this.tables.append(KEY);
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> this.tables.commit(KEY),
				OwnThread.OWN_THREAD);
		LockWait.await(this.tables.jdbc());
		this.tables.commit(Keys.in(1));
		this.tables.commit(first);
		second.get(10, TimeUnit.SECONDS);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly(KEY, Keys.in(1),
				KEY);
	}

}
