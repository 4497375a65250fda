/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Business transactions and the relay never wait for one another, nor do business
 * transactions whose messages are in different partitions. A transaction that waits for a
 * lock fails within two seconds here, see {@link OutboxTables}.
 */
@Timeout(120)
class BusinessTransactionTests {

	// In each partition there is one of them at least
	private static final String[] KEYS = IntStream.range(0, 600).mapToObj((i) -> "filler-" + i).toArray(String[]::new);

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
			ClaimWorker worker = worker(tables.pool(1));
			try (Claim claim = worker.next()) {
				assertThat(claim).isNotNull();
				write(tables, isolation);
			}
			assertThat(tables.depth()).isEqualTo(messages + KEYS.length + 1);
		}
	}

	// All that a relay changes is locked then: rows that it deletes, in the midst of a
	// lane and at its end, rows that it moves, and lanes that it opens
	@ParameterizedTest
	@MethodSource("sizesAndIsolation")
	void writersDoNotWaitForABatchThatIsBeingCompleted(int messages, int isolation) {
		try (OutboxTables tables = new OutboxTables()) {
			tables.fill(messages, messages / 5);
			AtomicInteger written = new AtomicInteger();
			DataSource relay = OutboxTables.interrupted(tables.pool(1), "commit", () -> {
				write(tables, isolation);
				written.addAndGet(KEYS.length + 1);
			});
			List<Long> published = new ArrayList<>();
			try (Claim claim = worker(relay).next()) {
				List<FailedMessage> failed = new ArrayList<>();
				List<KeySequence> sequences = claim.sequences();
				for (int i = 0; i < sequences.size(); i++) {
					List<Long> ids = sequences.get(i).messages().stream().map(StoredMessage::id).toList();
					int sent = (i % 3 == 0) ? ids.size() : ids.size() / 2;
					published.addAll(ids.subList(0, sent));
					if (i % 3 == 1) {
						failed.add(FailedMessage.retried(ids.get(sent), "x", Duration.ofHours(1)));
					}
				}
				claim.complete(published, failed);
				assertThat(failed).isNotEmpty();
			}
			// On PostgreSQL the settings of a session are committed as well
			assertThat(written).hasValueGreaterThan(KEYS.length);
			assertThat(tables.depth()).isEqualTo(messages + written.get() - published.size());
		}
	}

	@ParameterizedTest
	@MethodSource("sizesAndIsolation")
	void theRelayDoesNotWaitForOpenTransactions(int messages, int isolation) {
		try (OutboxTables tables = new OutboxTables()) {
			tables.fill(messages, messages / 5);
			TransactionStatus open = tables.begin(isolation);
			appendEverywhere(tables);
			List<Long> completed = new ArrayList<>();
			worker(tables.pool(1)).drain(10)
				.forEach((batch) -> batch.forEach((message) -> completed.add(message.id())));
			assertThat(completed).hasSizeGreaterThanOrEqualTo(Math.min(messages, 5000))
				.allMatch((id) -> id <= messages);
			tables.commit(open);
			assertThat(tables.depth()).isEqualTo(messages + KEYS.length + 1 - completed.size());
		}
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_READ_UNCOMMITTED, TransactionDefinition.ISOLATION_READ_COMMITTED,
					TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void writersOfDifferentPartitionsDoNotWaitForOneAnother(int isolation) {
		try (OutboxTables tables = new OutboxTables()) {
			List<TransactionStatus> open = new ArrayList<>();
			List<String> keys = new ArrayList<>(keysOfDifferentPartitions());
			for (int writer = 0; writer < 8; writer++) {
				open.add(tables.begin(isolation));
				// From both ends, so that each is in the midst of the others
				String first = keys.remove(0);
				String last = keys.remove(keys.size() - 1);
				tables.append(first);
				tables.append(first, "", last);
				tables.append(last);
			}
			Collections.reverse(open);
			open.forEach(tables::commit);
			assertThat(tables.depth()).isEqualTo(8 * 5);
		}
	}

	private static List<String> keysOfDifferentPartitions() {
		Partitions partitions = new Partitions();
		List<String> keys = new ArrayList<>();
		for (int id = 0; id < partitions.count(); id++) {
			int partition = id;
			Stream.of(KEYS).filter((key) -> partitions.of(key) == partition).findFirst().ifPresent(keys::add);
		}
		assertThat(keys).hasSize(partitions.count());
		return keys;
	}

	private static void write(OutboxTables tables, int isolation) {
		TransactionStatus transaction = tables.begin(isolation);
		appendEverywhere(tables);
		tables.commit(transaction);
	}

	private static void appendEverywhere(OutboxTables tables) {
		tables.append("");
		tables.append(KEYS);
	}

	private static ClaimWorker worker(DataSource dataSource) {
		return ClaimWorker.of(dataSource,
				new ClaimSettings(true, 1000, DataSize.ofMegabytes(16), Duration.ofSeconds(20), Duration.ZERO));
	}

}
