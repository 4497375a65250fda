/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Destination;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.claim.ClaimWorker;
import io.orderedoutbox.jdbc.connection.LimitedSession;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What is different on H2: its modes, what a driver in the same process does not do, and
 * databases that are no outbox. With {@code OUTBOX_TEST_DATABASE=h2} the other tests run
 * on it, too.
 */
@ExtendWith(OutputCaptureExtension.class)
class H2Tests {

	private static final List<String> TABLES = List.of("outbox_message", "outbox_archive", "outbox_dead_letter");

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private OutboxTables tables = new OutboxTables(Database.h2(""));

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	private void inMode(String mode) {
		this.tables.close();
		this.tables = new OutboxTables(Database.h2(mode));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";MODE=LEGACY", ";MODE=MySQL", ";MODE=MySQL;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
			";MODE=MariaDB", ";MODE=PostgreSQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH" })
	void worksInEachOfItsModesThatDoNotChangeTheMeaningOfWhatIsStored(String mode, CapturedOutput output) {
		inMode(mode);
		new SchemaCheck(this.tables.outbox()).run();
		assertThat(output).doesNotContain("not set up to survive a crash");
		this.tables.commit("published", "failed", "failed", "dead", "dead", "");
		ClaimWorker worker = ClaimWorker.archiving(this.tables, ClaimWorker.settings(true, 50));
		try (Claim claim = worker.next()) {
			claim.complete(List.of(1L, 6L), List.of(FailedMessage.retried(2, "it's \"refused\" by 'ä'", Duration.ZERO),
					FailedMessage.deadLetter(4, "x")));
		}
		assertThat(TABLES).map(this::keys)
			.containsExactly(List.of("failed", "failed", "dead"), List.of("published", ""), List.of("dead"));
		assertThat(this.tables.column(String.class, "last_error", "outbox_message WHERE id = 2"))
			.containsExactly("it's \"refused\" by 'ä'");
		worker.drain(10);
		assertThat(this.tables.depth()).isZero();
		assertThat(this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_parked").query(Long.class).single()).isZero();
	}

	private List<String> keys(String table) {
		return this.tables.column(String.class, "partition_key", table);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ";MODE=MySQL", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE" })
	void whatIsForEyesIsWrittenOnceAndThenChanged(String mode) {
		inMode(mode);
		JdbcThroughput throughput = new JdbcThroughput(this.tables.outbox());
		assertThat(throughput.add(3)).isTrue();
		assertThat(throughput.add(4)).isTrue();
		assertThat(throughput.lastHour().stream().mapToLong(Long::longValue).sum()).isEqualTo(7);
		throughput.removeOld();
		JdbcPause pause = new JdbcPause(this.tables.outbox());
		pause.set(true);
		pause.set(true);
		assertThat(pause.isPaused()).isTrue();
		JdbcWorkerRegistry registry = new JdbcWorkerRegistry(this.tables.outbox());
		JdbcWorkerRegistry.Instance instance = new JdbcWorkerRegistry.Instance("i", "host", 7, Duration.ofMinutes(1));
		registry.write(instance, List.of(new JdbcWorkerRegistry.Worker(1, "idle", 1, 0)));
		registry.write(instance, List.of(new JdbcWorkerRegistry.Worker(1, "sending", 2, 3),
				new JdbcWorkerRegistry.Worker(2, "idle", 0, 0)));
		assertThat(registry.list()).extracting((worker) -> worker.id() + " " + worker.state())
			.containsExactly("1 sending", "2 idle");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "MSSQLServer", "DB2", "Derby", "HSQLDB", "STRICT" })
	void anotherModeIsRefusedByItsName(String mode) {
		DataSource dataSource = dataSource(Database.h2(";MODE=" + mode).jdbcUrl());
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new OutboxDatabase(dataSource, "outbox_").dialect())
			.satisfies((ex) -> assertThat(ex.getDescription()).containsIgnoringCase("H2 in mode " + mode));
	}

	@ParameterizedTest
	@ValueSource(strings = { ";IGNORECASE=TRUE", ";IGNORECASE=TRUE;DATABASE_TO_LOWER=TRUE" })
	void aDatabaseInWhichDifferentKeysAreEqualIsRefused(String options) {
		inMode(options);
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new SchemaCheck(this.tables.outbox()).run())
			.withMessageContainingAll("partition_key", "different texts are equal");
	}

	@ParameterizedTest
	@ValueSource(strings = { "SET INCREMENT BY -1", "SET CYCLE", "DROP IDENTITY" })
	void positionsThatDoNotCountUpOneByOneAreRefused(String change) {
		this.tables.jdbc().sql("ALTER TABLE outbox_message ALTER COLUMN id " + change).update();
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new SchemaCheck(this.tables.outbox()).run())
			.withMessageContainingAll("outbox_message.id", "schema-h2.sql");
	}

	@ParameterizedTest
	@ValueSource(strings = { "DROP INDEX outbox_parked_delayed; ALTER TABLE outbox_parked DROP COLUMN is_delayed",
			"ALTER TABLE outbox_parked DROP PRIMARY KEY",
			"ALTER TABLE outbox_message DROP PRIMARY KEY; ALTER TABLE outbox_message ADD PRIMARY KEY (id, lane)",
			"DROP INDEX outbox_message_id", "DROP INDEX outbox_dead_letter_name",
			"DROP INDEX outbox_parked_due; CREATE INDEX outbox_parked_due ON outbox_parked (available_at)",
			"ALTER TABLE outbox_message ALTER COLUMN partition_key SET DATA TYPE VARCHAR_IGNORECASE(255)" })
	void whatIsDifferentIsMadeGoodByTheStatementsThatAreNamed(String change) {
		JdbcTemplate jdbc = new JdbcTemplate(this.tables.writer());
		jdbc.execute(change);
		OutboxConfigurationException refused = catchThrowableOfType(OutboxConfigurationException.class,
				() -> new SchemaCheck(this.tables.outbox()).run());
		String remedy = refused.getRemedy();
		String statements = "The statements: ";
		jdbc.execute(remedy.substring(remedy.indexOf(statements) + statements.length()));
		new SchemaCheck(this.tables.outbox()).run();
	}

	@Test
	void aDatabaseInAFileThatWritesLateIsToldOf(@TempDir Path directory, CapturedOutput output) {
		String url = "jdbc:h2:file:" + directory.resolve("shop");
		check(url + ";WRITE_DELAY=0");
		assertThat(output).doesNotContain("not set up to survive a crash");
		check(url + ";WRITE_DELAY=500");
		assertThat(output).contains("not set up to survive a crash", "WRITE_DELAY=0");
	}

	private static void check(String url) {
		try (HikariDataSource pool = pool(url)) {
			new ResourceDatabasePopulator(new ClassPathResource("schema-h2.sql", OutboxTables.class)).execute(pool);
			new SchemaCheck(new OutboxDatabase(pool, "outbox_")).run();
		}
	}

	private static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setUsername("sa");
		pool.setPassword("");
		pool.setMaximumPoolSize(2);
		return pool;
	}

	private static SingleConnectionDataSource dataSource(String url) {
		return new SingleConnectionDataSource(url, "sa", "", true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "SET LOCK_TIMEOUT 7000", "SET QUERY_TIMEOUT 9000",
			"SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE" })
	void whateverTheApplicationHasSetASessionIsTheSameAndGivesItBack(String setting) {
		for (DataSource alone : new DataSource[] { this.tables.withoutPool(),
				this.tables.connectionWithoutAutoCommit() }) {
			new JdbcTemplate(alone).execute(setting);
			Map<String, String> before = settings(alone);
			try (LimitedSession session = LimitedSession.open(alone, Dialect.H2, Duration.ofSeconds(20))) {
				TransactionTemplate transaction = new TransactionTemplate(session.transactions());
				Map<String, String> inSession = transaction.execute((status) -> settings(alone));
				assertThat(inSession).isEqualTo(Map.of("lock", "3000", "query", "0", "isolation", "READ COMMITTED"));
			}
			assertThat(settings(alone)).isEqualTo(before);
		}
	}

	private static Map<String, String> settings(DataSource dataSource) {
		Map<String, String> settings = new TreeMap<>();
		new JdbcTemplate(dataSource).query("""
				SELECT LOCK_TIMEOUT(), setting_value, isolation_level FROM information_schema.settings,
				information_schema.sessions WHERE setting_name = 'QUERY_TIMEOUT' AND session_id = SESSION_ID()""",
				(row) -> {
					settings.putAll(
							Map.of("lock", row.getString(1), "query", row.getString(2), "isolation", row.getString(3)));
				});
		return settings;
	}

	@Test
	void aSessionThatCannotBeGivenBackIsClosedAlthoughTheDriverDoesNotAbortIt() {
		try (HikariDataSource pool = pool(this.tables.writer().getJdbcUrl())) {
			pool.setMaximumPoolSize(1);
			long lost;
			try (LimitedSession session = LimitedSession.open(pool, Dialect.H2, Duration.ofSeconds(20))) {
				assertThat(session.transactions()).isNotNull();
				JdbcTemplate jdbc = new JdbcTemplate(pool);
				lost = jdbc.queryForObject("SELECT SESSION_ID()", Long.class);
				jdbc.execute("SET @outbox_isolation = NULL");
			}
			assertThat(this.tables.jdbc()
				.sql("SELECT COUNT(*) FROM information_schema.sessions WHERE session_id = ?")
				.param(lost)
				.query(Integer.class)
				.single()).isZero();
			// A pool looks at what has just been given back no sooner than after half a
			// second
			Awaitility.await()
				.pollInterval(Duration.ofMillis(700))
				.ignoreExceptions()
				.until(() -> settings(pool).get("lock").equals("2000"));
		}
	}

	@Test
	void aPayloadOfSeveralMegabytesIsStoredAndRead() {
		byte[] payload = new byte[3 << 20];
		payload[payload.length - 1] = 7;
		Message large = new Message(UUID.randomUUID(), "order.placed", "large", new Destination("", "q"), "text/plain",
				payload, Map.of());
		JdbcOutboxStore store = new JdbcOutboxStore(this.tables.outbox(), true);
		TransactionStatus transaction = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		store.append(List.of(large, OutboxTables.message("small")));
		store.append(List.of(large));
		this.tables.commit(transaction);
		List<StoredMessage> messages = ClaimWorker.of(this.tables, ClaimWorker.settings(true, 50))
			.drain(3)
			.stream()
			.flatMap(List::stream)
			.toList();
		assertThat(messages).filteredOn((message) -> message.message().partitionKey().equals("large"))
			.hasSize(2)
			.allSatisfy((message) -> assertThat(message.message().payload()).isEqualTo(payload));
	}

	@Test
	void aStoreThatIsToFindEndedTransactionsIsRefused() {
		JdbcOutboxStore store = new JdbcOutboxStore(this.tables.outbox(), true, false, true);
		assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(store::mark)
			.withMessageContaining("outbox.jdbc.verify-transaction");
	}

	@Test
	void locksAreTakenInTheOrderOfTheList() throws Exception {
		JdbcTemplate one = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		JdbcTemplate two = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		two.execute("SET LOCK_TIMEOUT 20000");
		lock(one, "[20]");
		Future<List<Integer>> waiting = this.threads.submit(() -> lock(two, "[10,20,30]"));
		awaitWait();
		assertThat(this.tables.jdbc()
			.sql("SELECT id FROM outbox_stripe WHERE id IN (10, 20, 30) FOR UPDATE SKIP LOCKED")
			.query(Integer.class)
			.list()).containsExactly(30);
		one.execute("COMMIT");
		assertThat(waiting.get(20, TimeUnit.SECONDS)).containsExactly(10, 20, 30);
	}

	private List<Integer> lock(JdbcTemplate jdbc, String ids) {
		return jdbc.queryForList(this.tables.outbox().writing().lockStripes, Integer.class, ids);
	}

	private void awaitWait() {
		Awaitility.await()
			.until(() -> this.tables.jdbc()
				.sql("SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id IS NOT NULL")
				.query(Integer.class)
				.single() > 0);
	}

	@Test
	void aPositionIsTakenAfterTheStripeIsLocked() throws Exception {
		String key = "a";
		String other = IntStream.range(0, 100)
			.mapToObj(String::valueOf)
			.filter((one) -> this.tables.partition(one) != this.tables.partition(key))
			.findFirst()
			.orElseThrow();
		TransactionStatus first = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.append(key);
		Future<?> waiting = this.threads.submit(() -> this.tables.commit(key));
		awaitWait();
		// It gets a position before the one that waits, although it comes after it
		this.tables.commit(other);
		this.tables.commit(first);
		waiting.get(20, TimeUnit.SECONDS);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly(key, other,
				key);
	}

	@ParameterizedTest
	@ValueSource(
			ints = { TransactionDefinition.ISOLATION_READ_UNCOMMITTED, TransactionDefinition.ISOLATION_READ_COMMITTED,
					TransactionDefinition.ISOLATION_REPEATABLE_READ, TransactionDefinition.ISOLATION_SERIALIZABLE })
	void aWriterOfAnyIsolationWaitsForAStripeAndGoesOn(int isolation) throws Exception {
		TransactionStatus first = this.tables.begin(isolation);
		this.tables.append("a");
		Future<?> waiting = this.threads.submit(() -> {
			TransactionStatus second = this.tables.begin(isolation);
			// As a transaction does that has its snapshot
			this.tables.jdbc().sql("SELECT COUNT(*) FROM outbox_stripe").query(Long.class).single();
			this.tables.append("a");
			this.tables.commit(second);
		});
		awaitWait();
		this.tables.commit(first);
		waiting.get(20, TimeUnit.SECONDS);
		assertThat(this.tables.depth()).isEqualTo(2);
	}

	@Test
	void aChangeByAListFindsItsRowsByThePrimaryKey() {
		this.tables.fill(1000, 10);
		OutboxStatements statements = this.tables.statements();
		for (String change : List.of(statements.delete, statements.closeLanes, statements.refreshRetry)) {
			String plan = String.join("\n",
					new JdbcTemplate(this.tables.writer()).queryForList("EXPLAIN " + change, String.class, "[]"));
			assertThat(plan).as(change).contains("PRIMARY_KEY").doesNotContain("OUTBOX_MESSAGE.tableScan");
		}
	}

	// Of two that wait for each other H2 rolls one back, and the other goes on
	@Test
	void aVictimOfADeadlockHasNothingInTheOutbox() throws Exception {
		this.tables.jdbc().sql("CREATE TABLE account (id INT PRIMARY KEY, amount INT)").update();
		this.tables.jdbc().sql("INSERT INTO account VALUES (1, 0), (2, 0)").update();
		JdbcTemplate other = new JdbcTemplate(this.tables.connectionWithoutAutoCommit());
		other.execute("SET LOCK_TIMEOUT 20000");
		other.update("UPDATE account SET amount = 1 WHERE id = 1");
		TransactionStatus victim = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.append("a");
		this.tables.jdbc().sql("UPDATE account SET amount = 2 WHERE id = 2").update();
		Future<Integer> waiting = this.threads.submit(() -> other.update("UPDATE account SET amount = 1 WHERE id = 2"));
		awaitWait();
		assertThatExceptionOfType(PessimisticLockingFailureException.class)
			.isThrownBy(() -> this.tables.jdbc().sql("UPDATE account SET amount = 2 WHERE id = 1").update());
		assertThat(waiting.get(20, TimeUnit.SECONDS)).isOne();
		other.execute("COMMIT");
		this.tables.commit(victim);
		assertThat(this.tables.depth()).isZero();
	}

}
