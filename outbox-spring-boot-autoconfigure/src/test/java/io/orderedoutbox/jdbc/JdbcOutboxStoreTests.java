/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.JdbcRelayStore;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.LockWait;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What writing costs, what it locks, and that no two transactions wait for one another.
 */
@Timeout(120)
class JdbcOutboxStoreTests {

	// The log shows payloads in Base64: four characters for three bytes
	private static final int MOST_CHARACTERS = 3_000_000;

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.withSqlLog()
			.withJdbcOption("sessionVariables", "innodb_lock_wait_timeout=15")
			.start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 100 })
	void transactionCostsOneLockingStatementAndOneInsertJustBeforeItsCommit(int events) {
		List<String> statements = SqlLog.of(() -> application.transaction().executeWithoutResult((status) -> {
			for (int event = 0; event < events; event++) {
				application.outbox().publish(new OrderPlaced("key " + event, event));
			}
			this.business.write("last line of business");
		}));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.containsExactly("insert into note", "select s.id from", "insert into outbox_message", "commit");
		assertThat(application.depth()).isEqualTo(events);
	}

	@Test
	void transactionWithOneEventCostsOneStatement() {
		List<String> statements = SqlLog.of(() -> application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("key", 1));
			this.business.write("last line of business");
		}));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.containsExactly("insert into note", "insert into outbox_message", "commit");
		assertThat(application.depth()).isEqualTo(1);
	}

	@Test
	void transactionWithoutEventsCostsNothing() {
		List<String> statements = SqlLog
			.of(() -> application.transaction().executeWithoutResult((status) -> this.business.write("alone")));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.containsExactly("insert into note", "commit");
	}

	@Test
	void rolledBackTransactionCostsNothing() {
		List<String> statements = SqlLog.of(() -> application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderPlaced("a", 1));
			status.setRollbackOnly();
		}));
		assertThat(work(statements)).containsExactly("rollback");
	}

	@Test
	void eventsWithoutKeyLockOneFreeStripe() {
		List<String> statements = SqlLog.of(() -> application.inTransaction((outbox) -> {
			outbox.publish(new OrderPlaced("a", 1), PartitionKeyStamp.none());
			outbox.publish(new OrderPlaced("b", 1), PartitionKeyStamp.none());
		}));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.containsExactly("select id from", "insert into outbox_message", "commit");
	}

	@Test
	void oneEventWithoutKeyCostsOneStatement() {
		List<String> statements = SqlLog.of(() -> application
			.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), PartitionKeyStamp.none())));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.containsExactly("insert into outbox_message", "commit");
		assertThat(application.depth()).isEqualTo(1);
	}

	@Test
	void theStoreSaysToWhichPartitionsMessagesWent() {
		OutboxStore store = application.bean(OutboxStore.class);
		List<Message> messages = messagesOfDistinctStripes(5);
		application.transaction().executeWithoutResult((status) -> {
			assertThat(store.append(messages)).containsExactlyInAnyOrderElementsOf(partitions(messages));
			Message first = messages.get(0);
			assertThat(store.append(List.of(first, first))).containsExactlyElementsOf(partitions(List.of(first)));
			assertThat(store.append(List.of(first))).containsExactlyElementsOf(partitions(List.of(first)));
		});
	}

	@Test
	void nestedTransactionAddsNoStatementOfTheOutbox() {
		TransactionTemplate nested = template(TransactionDefinition.PROPAGATION_NESTED);
		List<String> statements = SqlLog.of(() -> application.inTransaction((outbox) -> {
			nested.executeWithoutResult((status) -> outbox.publish(new OrderPlaced("a", 1)));
			nested.executeWithoutResult((status) -> outbox.publish(new OrderPlaced("a", 2)));
		}));
		assertThat(work(statements)).extracting(JdbcOutboxStoreTests::kind)
			.filteredOn((kind) -> !kind.contains("savepoint"))
			.containsExactly("select s.id from", "insert into outbox_message", "commit");
	}

	@ParameterizedTest
	@CsvSource({ "1000, 20000, 20", "3000, 10, 6", "3, 2000000, 3", "500, 10, 1", "501, 10, 2" })
	void manyOrLargeEventsAreWrittenInChunksAndInOrder(int events, int size, int leastInserts) {
		List<String> ids = new ArrayList<>();
		List<String> statements = SqlLog.of(() -> application.inTransaction((outbox) -> {
			for (int event = 0; event < events; event++) {
				ids.add(outbox.publish(new Letter("key " + event % 700, "x".repeat(size))).toString());
			}
		}));
		assertThat(
				application.jdbc().sql("SELECT message_id FROM outbox_message ORDER BY id").query(String.class).list())
			.isEqualTo(ids);
		List<String> kinds = work(statements).stream().map(JdbcOutboxStoreTests::kind).toList();
		assertThat(kinds).startsWith("select s.id from", "insert into outbox_message").endsWith("commit");
		assertThat(kinds.stream().filter("select s.id from"::equals)).as("all stripes before the first insert")
			.hasSize(1);
		assertThat(kinds.stream().filter("insert into outbox_message"::equals)).hasSizeBetween(leastInserts,
				leastInserts + leastInserts / 4 + 1);
		assertThat(statements).allMatch((statement) -> statement.length() < MOST_CHARACTERS);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3 })
	void payloadIsStoredByteForByte(int count) {
		List<byte[]> payloads = new ArrayList<>();
		List<Message> messages = new ArrayList<>();
		for (int number = 0; number < count; number++) {
			// All bytes that there are, and of each length that Base64 fills up
			// differently
			byte[] payload = new byte[256 + number];
			IntStream.range(0, payload.length).forEach((i) -> payload[i] = (byte) i);
			payloads.add(payload);
			messages.add(message("key", number, payload));
		}
		application.transaction()
			.executeWithoutResult((status) -> application.bean(OutboxStore.class).append(messages));
		assertThat(StoredRow.in(application.jdbc())).extracting(StoredRow::payload).containsExactlyElementsOf(payloads);
	}

	@Test
	void payloadIsStoredByStatementsThatTheServerPrepares() {
		byte[] payload = new byte[100_000];
		new Random(1).nextBytes(payload);
		try (OutboxApplication preparing = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.withJdbcOption("useServerPrepStmts", "true")
			.withJdbcOption("cachePrepStmts", "true")
			.withJdbcOption("prepStmtCacheSqlLimit", "4096")
			.start()) {
			OutboxStore store = preparing.bean(OutboxStore.class);
			for (List<Message> messages : List.of(List.of(message("key", 1, payload)),
					List.of(message("key", 2, payload), message("key", 3, payload)))) {
				preparing.transaction().executeWithoutResult((status) -> store.append(messages));
			}
			assertThat(preparing.rows()).extracting(StoredRow::payload).containsExactly(payload, payload, payload);
		}
	}

	@Test
	void emptyPayloadIsStored() {
		application.transaction()
			.executeWithoutResult(
					(status) -> application.bean(OutboxStore.class).append(List.of(message("key", 1, new byte[0]))));
		assertThat(StoredRow.in(application.jdbc())).extracting(StoredRow::payload).containsExactly(new byte[0]);
	}

	@Test
	void payloadOfTheGreatestSizeThatIsAllowedIsStored() {
		String text = "\u0000\"'x".repeat(838_000);
		application.inTransaction((outbox) -> {
			outbox.publish(new Letter("a", text));
			outbox.publish(new Letter("a", text));
		});
		assertThat(application.jdbc().sql("SELECT payload_size FROM outbox_message").query(Integer.class).list())
			.hasSize(2)
			.allMatch((size) -> size > 7_900_000 && size <= 8 * 1024 * 1024);
	}

	@Test
	void chunksAreOneTransaction() {
		SqlLog.of(() -> application.transaction().executeWithoutResult((status) -> {
			for (int event = 0; event < 1200; event++) {
				application.outbox().publish(new OrderPlaced("a", event));
			}
			status.setRollbackOnly();
		}));
		assertThat(application.depth()).isZero();
	}

	@Test
	void largeHeadersCountForTheChunksToo() {
		String header = "h".repeat(100_000);
		List<String> statements = SqlLog.of(() -> application.inTransaction((outbox) -> {
			for (int event = 0; event < 200; event++) {
				outbox.publish(new OrderPlaced("a", event), HeaderStamp.of("large", header));
			}
		}));
		assertThat(application.depth()).isEqualTo(200);
		assertThat(statements).allMatch((statement) -> statement.length() < MOST_CHARACTERS);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 20, 40, 63 })
	void onlyTheStripesOfTheKeysAreLocked(int count) {
		List<Message> messages = messagesOfDistinctStripes(count);
		application.transaction().executeWithoutResult((status) -> {
			application.bean(OutboxStore.class).append(messages);
			List<Integer> free = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
				.execute((other) -> application.jdbc()
					.sql("SELECT id FROM outbox_stripe FOR UPDATE SKIP LOCKED")
					.query(Integer.class)
					.list());
			assertThat(free).hasSize(64 - count).doesNotContainAnyElementsOf(partitions(messages));
			status.setRollbackOnly();
		});
	}

	// The supremum is the end of a page, no row: nothing is ever inserted there
	@RequiresMySql
	@ParameterizedTest
	@ValueSource(ints = { 1, 20, 63 })
	void rowsAreLockedWithoutTheGapsBetweenThem(int count) {
		List<Message> messages = messagesOfDistinctStripes(count);
		application.transaction().executeWithoutResult((status) -> {
			application.bean(OutboxStore.class).append(messages);
			List<String> modes = application.jdbc()
				.sql("""
						SELECT DISTINCT lock_data, lock_mode FROM performance_schema.data_locks
						WHERE object_schema = DATABASE() AND object_name = 'outbox_stripe'
						AND lock_type = 'RECORD' AND lock_data <> 'supremum pseudo-record'""")
				.query((row, number) -> row.getString("lock_mode"))
				.list();
			assertThat(modes).hasSize(count).containsOnly("X,REC_NOT_GAP");
			status.setRollbackOnly();
		});
	}

	@RequiresMySql
	@ParameterizedTest
	@ValueSource(ints = { 1, 20, 64 })
	void stripesAreLookedUpByPrimaryKey(int count) {
		String ids = IntStream.range(0, count).boxed().toList().toString();
		List<Map<String, Object>> plan = application.jdbc()
			.sql("EXPLAIN FORMAT=TRADITIONAL " + application.bean(OutboxDatabase.class).writing().lockStripes)
			.param(ids)
			.query()
			.listOfRows();
		assertThat(plan).hasSize(2);
		assertThat(plan.get(0)).as("the ids first").containsEntry("table", "w");
		assertThat(plan.get(1)).containsEntry("table", "s")
			.containsEntry("type", "eq_ref")
			.containsEntry("key", "PRIMARY");
	}

	@Test
	void secondWriterOfAKeyWaitsAtItsCommitAndOthersDoNot() throws Exception {
		ExecutorService threads = Executors.newSingleThreadExecutor();
		try {
			Future<?> second = application.transaction().execute((first) -> {
				application.bean(OutboxStore.class).append(List.of(message("a", 0)));
				Future<?> waiting = threads.submit(() -> application.publish(new OrderPlaced("a", 2)));
				LockWait.await(application.jdbc());
				template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
					.executeWithoutResult((other) -> application.outbox().publish(new OrderPlaced("b", 1)));
				assertThat(waiting).isNotDone();
				return waiting;
			});
			second.get(30, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(application.rows()).extracting(StoredRow::partitionKey)
			.containsSubsequence("a", "a")
			.containsExactlyInAnyOrder("a", "b", "a");
		assertThat(application.rows()).last().extracting(StoredRow::text).asString().contains("\"version\":2");
	}

	@Test
	void manyWritersWithTheSameKeysInAnyOrderDoNotDeadlock() throws Exception {
		long seed = System.nanoTime();
		System.out.println("seed: " + seed);
		Random random = new Random(seed);
		List<Callable<Void>> writers = new ArrayList<>();
		for (int writer = 0; writer < 8; writer++) {
			long own = random.nextLong();
			writers.add(() -> {
				Random order = new Random(own);
				for (int round = 0; round < 25; round++) {
					List<String> keys = new ArrayList<>(
							IntStream.range(0, 12).mapToObj((key) -> "key " + key).toList());
					Collections.shuffle(keys, order);
					application.transaction()
						.executeWithoutResult((status) -> keys
							.forEach((key) -> application.outbox().publish(new OrderPlaced(key, 1))));
				}
				return null;
			});
		}
		inParallel(writers);
		assertThat(application.depth()).isEqualTo(8 * 25 * 12);
	}

	@Test
	void writersWhoseKeysCoverAllStripesDoNotDeadlock() throws Exception {
		List<Message> messages = new ArrayList<>(messagesOfDistinctStripes(64));
		List<Callable<Void>> writers = new ArrayList<>();
		for (int writer = 0; writer < 4; writer++) {
			List<Message> own = new ArrayList<>(messages);
			Collections.shuffle(own, new Random(writer));
			writers.add(() -> {
				for (int round = 0; round < 20; round++) {
					int from = round;
					application.transaction()
						.executeWithoutResult(
								(status) -> application.bean(OutboxStore.class).append(own.subList(from, from + 40)));
				}
				return null;
			});
		}
		inParallel(writers);
		assertThat(application.depth()).isEqualTo(4 * 20 * 40);
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_READ_UNCOMMITTED, TransactionDefinition.ISOLATION_READ_COMMITTED,
					TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void businessTransactionsDoNotWaitForAClaim(int isolation) throws Exception {
		application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("z", 1));
		application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("", 1), PartitionKeyStamp.none()));
		JdbcRelayStore relay = new JdbcRelayStore(application.bean(OutboxDatabase.class),
				new ClaimSettings(true, 2_000, DataSize.ofMegabytes(1), Duration.ofSeconds(60), Duration.ZERO));
		TransactionTemplate writer = template(TransactionDefinition.PROPAGATION_REQUIRED);
		writer.setIsolationLevel(isolation);
		writer.setTimeout(10);
		try (Claim claim = relay.claims().next()) {
			assertThat(claim.sequences()).hasSize(4);
			CompletableFuture.runAsync(() -> writer.executeWithoutResult((status) -> {
				this.business.write("written");
				Stream.of("a", "b", "m", "z", "zz")
					.forEach((key) -> application.outbox().publish(new OrderPlaced(key, 2)));
				application.outbox().publish(new OrderPlaced("", 2), PartitionKeyStamp.none());
			}), OWN_THREAD).get(20, TimeUnit.SECONDS);
			claim.complete(claim.sequences()
				.stream()
				.flatMap((sequence) -> sequence.messages().stream())
				.map(StoredMessage::id)
				.toList(), List.of());
		}
		assertThat(application.depth()).isEqualTo(6);
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_READ_UNCOMMITTED, TransactionDefinition.ISOLATION_READ_COMMITTED,
					TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void writersDoNotDeadlockAtAnyIsolationLevelWhileMessagesAreRelayed(int isolation) throws Exception {
		JdbcRelayStore relay = new JdbcRelayStore(application.bean(OutboxDatabase.class),
				new ClaimSettings(true, 20, DataSize.ofMegabytes(1), Duration.ofSeconds(60), Duration.ZERO));
		TransactionTemplate template = template(TransactionDefinition.PROPAGATION_REQUIRED);
		template.setIsolationLevel(isolation);
		List<Callable<Void>> work = new ArrayList<>();
		for (int writer = 0; writer < 3; writer++) {
			String own = "own " + writer;
			work.add(() -> {
				for (int round = 0; round < 30; round++) {
					template.executeWithoutResult((status) -> {
						application.outbox().publish(new OrderPlaced("shared", 1));
						application.outbox().publish(new OrderPlaced(own, 1));
						application.outbox().publish(new OrderPlaced(own, 2), PartitionKeyStamp.none());
					});
				}
				return null;
			});
		}
		int all = 3 * 30 * 3;
		AtomicInteger drained = new AtomicInteger();
		for (int worker = 0; worker < 2; worker++) {
			work.add(() -> {
				Claims claims = relay.claims();
				while (drained.get() < all && !Thread.interrupted()) {
					try (Claim claim = claims.next()) {
						if (claim != null) {
							List<Long> ids = claim.sequences()
								.stream()
								.flatMap((sequence) -> sequence.messages().stream())
								.map(StoredMessage::id)
								.toList();
							claim.complete(ids, List.of());
							drained.addAndGet(ids.size());
						}
					}
				}
				claims.end();
				return null;
			});
		}
		inParallel(work);
		assertThat(application.depth()).isZero();
	}

	private static void inParallel(List<Callable<Void>> work) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(work.size());
		try {
			for (Future<Void> done : threads.invokeAll(work, 60, TimeUnit.SECONDS)) {
				done.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static List<Message> messagesOfDistinctStripes(int count) {
		Map<Integer, Message> messages = new HashMap<>();
		for (int key = 0; messages.size() < count; key++) {
			Message message = message("key " + key, key);
			messages.putIfAbsent(new Partitions().of(message.partitionKey()), message);
		}
		return List.copyOf(messages.values());
	}

	private static List<Integer> partitions(List<Message> messages) {
		return messages.stream().map((message) -> new Partitions().of(message.partitionKey())).toList();
	}

	private static Message message(String key, int number) {
		return message(key, number, new byte[] { 1 });
	}

	private static Message message(String key, int number, byte[] payload) {
		return new Message(new UUID(0, number), "name", key, new Destination("", ""), "text/plain", payload, Map.of());
	}

	private static TransactionTemplate template(int propagation) {
		TransactionTemplate template = new TransactionTemplate(application.transaction().getTransactionManager());
		template.setPropagationBehavior(propagation);
		return template;
	}

	private static List<String> work(List<String> statements) {
		return statements.stream().filter((statement) -> !statement.startsWith("set ")).toList();
	}

	private static String kind(String statement) {
		String[] words = statement.replaceAll("/\\*.*?\\*/ ", "").split("\\s+", 4);
		return (words.length < 3) ? statement : String.join(" ", words[0], words[1], words[2]);
	}

	record Letter(@PartitionKey String key, String text) {

	}

}
