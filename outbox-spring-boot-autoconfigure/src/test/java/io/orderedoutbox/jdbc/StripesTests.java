/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.testing.LockWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which stripes a transaction locks for its messages, for which of them it waits, and in
 * which partitions its messages are then. A transaction that waits for a lock for two
 * seconds fails, see {@link OutboxTables}.
 */
@Timeout(60)
class StripesTests {

	private static final int A = new Partitions().of("a");

	private static final int Z = new Partitions().of("z");

	private final OutboxTables tables = new OutboxTables();

	private final OutboxDatabase database = new OutboxDatabase(this.tables.writer(), "outbox_");

	private final Stripes stripes = new Stripes(this.database.jdbc(), this.database);

	@AfterEach
	void close() {
		this.tables.close();
	}

	// Locks

	@Test
	void theStripesOfPartitionsAreLockedAndNoOther() {
		inTransaction(() -> {
			this.stripes.lock(List.of(40, 3, 9, 3));
			assertThat(freeStripes()).hasSize(61).doesNotContain(3, 9, 40);
			return null;
		});
	}

	@Test
	void aTransactionThatWaitsForAStripeHoldsNoneAboveIt() throws Exception {
		TransactionStatus first = begin();
		this.stripes.lock(List.of(9));
		CompletableFuture<Void> second = meanwhile(() -> this.stripes.lock(List.of(40, 9, 3)));
		LockWait.await(this.tables.jdbc());
		assertThat(freeStripes()).contains(40).doesNotContain(3, 9);
		this.tables.commit(first);
		second.get(30, TimeUnit.SECONDS);
	}

	@Test
	void transactionsWhosePartitionsComeInOppositeOrderDoNotDeadlock() throws Exception {
		List<Integer> ascending = IntStream.range(0, 64).boxed().toList();
		List<Integer> descending = IntStream.range(0, 64).map((id) -> 63 - id).boxed().toList();
		List<CompletableFuture<Void>> writers = Stream.of(ascending, descending, ascending, descending)
			.map((partitions) -> CompletableFuture.runAsync(() -> {
				for (int round = 0; round < 50; round++) {
					inTransaction(() -> {
						this.stripes.lock(partitions);
						return null;
					});
				}
			}, OWN_THREAD))
			.toList();
		for (CompletableFuture<Void> writer : writers) {
			writer.get(30, TimeUnit.SECONDS);
		}
	}

	@Test
	void anyStripeIsOneThatNoOtherTransactionHolds() {
		TransactionStatus holder = begin();
		this.stripes.lock(allBut(17));
		for (int round = 0; round < 30; round++) {
			assertThat(inTransaction(this.stripes::lockAny)).isEqualTo(17);
		}
		this.tables.commit(holder);
	}

	@Test
	void anyStripeIsEachTimeAnother() {
		Set<Integer> used = new HashSet<>();
		for (int round = 0; round < 200; round++) {
			used.add(inTransaction(this.stripes::lockAny));
		}
		assertThat(used).hasSizeGreaterThan(30);
	}

	@Test
	void ifAllStripesAreHeldATransactionWaitsForOne() throws Exception {
		TransactionStatus holder = begin();
		this.stripes.lock(allBut(-1));
		CompletableFuture<Void> waiting = meanwhile(this.stripes::lockAny);
		LockWait.await(this.tables.jdbc());
		assertThat(waiting).isNotDone();
		this.tables.commit(holder);
		waiting.get(30, TimeUnit.SECONDS);
	}

	@Test
	void aMissingStripeIsNamedWithTheRemedy() {
		this.tables.jdbc().sql("DELETE FROM outbox_stripe WHERE id = ?").param(A).update();
		Stream.<Runnable>of(() -> append(true, "a"), () -> append(true, "a", "z"))
			.forEach((write) -> assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(write::run)
				.satisfies((ex) -> {
					assertThat(ex.getDescription()).startsWith("Table 'outbox_stripe' has lost rows")
						.contains("[%d".formatted(A));
					assertThat(ex.getRemedy()).contains("with the ids 0 to 63", "no order can be kept");
				}));
		assertThat(this.tables.depth()).isZero();
		this.tables.commit("z", "");
		assertThat(this.tables.depth()).isEqualTo(2);
	}

	@Test
	void withoutAnyStripeNothingIsWritten() {
		this.tables.jdbc().sql("DELETE FROM outbox_stripe").update();
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(() -> append(true, ""));
		assertThat(this.tables.depth()).isZero();
	}

	// Messages with a key

	@Test
	void theSecondTransactionOfAPartitionWaitsForTheCommitOfTheFirst() throws Exception {
		String other = otherKeyOfPartition(A);
		TransactionStatus first = begin();
		this.tables.append("a");
		CompletableFuture<Void> second = meanwhile(() -> this.tables.append(other));
		LockWait.await(this.tables.jdbc());
		this.tables.append("a");
		this.tables.commit(first);
		second.get(30, TimeUnit.SECONDS);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly("a", "a",
				other);
		assertThat(lanes()).containsOnly(A);
	}

	@Test
	void transactionsOfOtherPartitionsDoNotWait() {
		TransactionStatus first = begin();
		this.tables.append("a");
		this.tables.commit("z");
		this.tables.commit("z", "m");
		this.tables.commit(first);
		assertThat(this.tables.depth()).isEqualTo(4);
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-8", "ISO-8859-1" })
	void theLaneOfAMessageIsThePartitionOfItsKeyInJavaAndInSql(String charset) {
		HikariDataSource pool = this.tables.pool(1);
		pool.addDataSourceProperty("characterEncoding", charset);
		JdbcOutboxStore store = new JdbcOutboxStore(new OutboxDatabase(pool, "outbox_"), true);
		List<String> keys = PartitionsTests.keys()
			.stream()
			.filter((key) -> key
				.equals(new String(key.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.ISO_8859_1))
					|| charset.equals("UTF-8"))
			.toList();
		assertThat(keys).hasSizeGreaterThan(60);
		keys.forEach((key) -> store.append(List.of(OutboxTables.message(key))));
		store.append(keys.stream().map(OutboxTables::message).toList());
		List<String> all = new ArrayList<>(keys);
		all.addAll(keys);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).isEqualTo(all);
		assertThat(lanes()).isEqualTo(all.stream().map(new Partitions()::of).toList())
			.isEqualTo(this.tables.column(Integer.class, "CRC32(partition_key) % 64", "outbox_message"));
	}

	@Test
	void aPartitionerDecidesToWhichPartitionAKeyBelongs() {
		OutboxDatabase partitioned = new OutboxDatabase(this.tables.writer(), "outbox_", false,
				new Partitions(64, (key, partitions) -> key.length() % partitions));
		JdbcOutboxStore store = new JdbcOutboxStore(partitioned, true);
		assertThat(store.append(messages("one"))).containsExactly(3);
		assertThat(store.append(messages("four", "three", "two"))).containsExactlyInAnyOrder(3, 4, 5);
		assertThat(lanes()).containsExactly(3, 4, 5, 3);
	}

	// Messages without a key

	@Test
	void messagesWithoutAKeyDoNotWaitAsLongAsAStripeIsFree() {
		TransactionStatus holder = begin();
		this.stripes.lock(allBut(17));
		for (int round = 0; round < 10; round++) {
			assertThat(append(true, "")).containsExactly(17);
			assertThat(append(true, "", "")).containsExactly(17);
		}
		this.tables.commit(holder);
		assertThat(lanes()).hasSize(30).containsOnly(17);
	}

	@Test
	void inUnorderedModeNoMessageWaitsAsLongAsAStripeIsFree() {
		TransactionStatus holder = begin();
		this.stripes.lock(allBut(17));
		assertThat(append(false, "a")).containsExactly(17);
		assertThat(append(false, "a", "z", "")).containsExactly(17);
		this.tables.commit(holder);
		assertThat(lanes()).hasSize(4).containsOnly(17);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void ifAllStripesAreHeldAMessageWithoutAKeyWaits(boolean alone) throws Exception {
		TransactionStatus holder = begin();
		this.stripes.lock(allBut(-1));
		String[] keys = alone ? new String[] { "" } : new String[] { "", "" };
		CompletableFuture<Void> waiting = meanwhile(() -> this.tables.append(keys));
		LockWait.await(this.tables.jdbc());
		assertThat(waiting).isNotDone();
		this.tables.commit(holder);
		waiting.get(30, TimeUnit.SECONDS);
		assertThat(this.tables.depth()).isEqualTo(keys.length);
	}

	@Test
	void messagesWithoutAKeyUseThePartitionsOfTheOthersOfTheirTransaction() {
		TransactionStatus holder = begin();
		this.stripes.lock(IntStream.range(0, 64).filter((id) -> id != A && id != Z).boxed().toList());
		assertThat(append(true, "", "a", "", "z", "")).containsExactlyInAnyOrder(A, Z);
		this.tables.commit(holder);
		assertThat(lanes()).hasSize(5).containsOnly(A, Z);
		assertThat(this.tables.column(Integer.class, "lane", "outbox_message WHERE partition_key <> ''"))
			.containsExactly(A, Z);
	}

	@Test
	void messagesWithoutAKeyAreSpreadOverThePartitions() {
		Set<Integer> used = new HashSet<>();
		for (int round = 0; round < 200; round++) {
			used.addAll(append(true, ""));
		}
		assertThat(used).hasSizeGreaterThan(30).containsExactlyInAnyOrderElementsOf(new HashSet<>(lanes()));
	}

	private Set<Integer> append(boolean ordered, String... keys) {
		JdbcOutboxStore store = new JdbcOutboxStore(this.database, ordered);
		return inTransaction(() -> store.append(messages(keys)));
	}

	private static List<Message> messages(String... keys) {
		return Stream.of(keys).map(OutboxTables::message).toList();
	}

	private List<Integer> lanes() {
		return this.tables.column(Integer.class, "lane", "outbox_message");
	}

	private static List<Integer> allBut(int free) {
		return IntStream.range(0, 64).filter((id) -> id != free).boxed().toList();
	}

	private static String otherKeyOfPartition(int partition) {
		return IntStream.range(0, 10_000)
			.mapToObj(String::valueOf)
			.filter((key) -> new Partitions().of(key) == partition)
			.findFirst()
			.orElseThrow();
	}

	private TransactionStatus begin() {
		return this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
	}

	private <T> T inTransaction(Supplier<T> work) {
		TransactionStatus transaction = begin();
		try {
			return work.get();
		}
		finally {
			this.tables.commit(transaction);
		}
	}

	// In a transaction of its own, that waits for as long as it must
	private CompletableFuture<Void> meanwhile(Runnable work) {
		return CompletableFuture.runAsync(() -> inTransaction(() -> {
			this.database.jdbc().execute(Servers.database().lockTimeout(50));
			work.run();
			return null;
		}), OWN_THREAD);
	}

	private List<Integer> freeStripes() {
		return inTransaction(() -> this.tables.jdbc()
			.sql("SELECT id FROM outbox_stripe FOR UPDATE SKIP LOCKED")
			.query(Integer.class)
			.list());
	}

}
