/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Destination;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.jdbc.connection.Connections;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import io.orderedoutbox.jdbc.retention.JdbcArchive;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.testing.InterceptedDataSource;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.testing.WatchedDataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * The tables of the outbox in a schema of their own, a writer, and any number of workers.
 */
public final class OutboxTables implements AutoCloseable {

	private final Database database;

	private final List<Runnable> open = new ArrayList<>();

	private final Thread owner = Thread.currentThread();

	private final Deque<TransactionStatus> begun = new ArrayDeque<>();

	private final HikariDataSource writer;

	private final OutboxDatabase outbox;

	private final JdbcClient jdbc;

	private final JdbcTransactionManager transactions;

	public OutboxTables() {
		this(Servers.database().fresh());
	}

	public OutboxTables(Database database) {
		this.database = database;
		this.writer = pool(database, 12);
		this.outbox = new OutboxDatabase(this.writer, "outbox_");
		this.jdbc = JdbcClient.create(this.writer);
		this.transactions = new JdbcTransactionManager(this.writer);
		this.open.add(this.writer::close);
		this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		new ResourceDatabasePopulator(
				new ClassPathResource("schema-" + this.database.platform() + ".sql", OutboxTables.class))
			.execute(this.writer);
	}

	private static HikariDataSource pool(Database database, int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(database.jdbcUrl());
		pool.addDataSourceProperty("queryInterceptors", SqlLog.class.getName());
		if (database.isPostgreSql() || database.isH2()) {
			pool.setDataSource(new WatchedDataSource(
					new DriverManagerDataSource(database.jdbcUrl(), database.username(), database.password())));
		}
		else {
			pool.setUsername(database.username());
			pool.setPassword(database.password());
		}
		if (database.isH2()) {
			pool.setExceptionOverrideClassName(ClosedConnections.class.getName());
		}
		pool.setMaximumPoolSize(size);
		pool.setMinimumIdle(0);
		// A transaction that waits for the lock of another one fails soon
		pool.setConnectionInitSql(database.lockTimeout(2));
		return pool;
	}

	/**
	 * What was archived, on the connections of the writer.
	 */
	public JdbcArchive archive() {
		return new JdbcArchive(this.outbox);
	}

	/**
	 * Something happens each time before a method of a connection is called.
	 */
	public static DataSource interrupted(DataSource dataSource, String interruptedMethod, Runnable work) {
		return new InterceptedDataSource(dataSource) {

			@Override
			protected Interceptor opened(Connection connection) {
				return (call) -> {
					if (call.name().equals(interruptedMethod)) {
						work.run();
					}
					return call.proceed();
				};
			}

		};
	}

	/**
	 * A network between a worker and the database.
	 */
	public TcpProxy proxy() {
		skipOnH2("there is no network before it");
		return TcpProxy.to(this.database);
	}

	/**
	 * A data source behind that network, on one connection that no pool looks after.
	 */
	public SingleConnectionDataSource through(TcpProxy proxy) {
		String url = this.database.jdbcUrl().replaceFirst("//[^/]+/", "//%s:%d/".formatted(proxy.host(), proxy.port()));
		return new SingleConnectionDataSource(url, this.database.username(), this.database.password(), true);
	}

	/**
	 * A data source on one connection that no pool restores behind its back.
	 */
	public SingleConnectionDataSource withoutPool() {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password(), true);
		this.open.add(connection::destroy);
		return connection;
	}

	/**
	 * Skip a test on H2.
	 * @param because what is different there
	 */
	public static void skipOnH2(String because) {
		assumeThat(Servers.database().isH2()).as(because).isFalse();
	}

	/**
	 * Skip a test on PostgreSQL and on H2.
	 * @param because what is different there
	 */
	public static void skipOnPostgreSql(String because) {
		assumeThat(Servers.database().isPostgreSql() || Servers.database().isH2()).as(because).isFalse();
	}

	/**
	 * End a connection, as an operator does it.
	 */
	public void kill(long connection) {
		new JdbcTemplate(this.writer).execute(this.database.kill(connection));
	}

	/**
	 * The schema.
	 */
	public String name() {
		return this.jdbc.sql("SELECT DATABASE()").query(String.class).single();
	}

	public JdbcClient jdbc() {
		return this.jdbc;
	}

	public OutboxDatabase outbox() {
		return this.outbox;
	}

	public OutboxStatements statements() {
		return this.outbox.statements();
	}

	public Explain explain() {
		return new Explain(this.jdbc, this.outbox.dialect());
	}

	/**
	 * A connection without a pool that commits nothing by itself.
	 */
	public DataSource connectionWithoutAutoCommit() {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password(), true);
		connection.setAutoCommit(false);
		this.open.add(connection::destroy);
		return connection;
	}

	/**
	 * Connections to the same database.
	 */
	public HikariDataSource pool(int size) {
		HikariDataSource pool = pool(this.database, size);
		this.open.add(pool::close);
		return pool;
	}

	public HikariDataSource writer() {
		return this.writer;
	}

	/**
	 * Begin a transaction, on this thread but apart from those of the workers. What a
	 * test that fails leaves behind on its own thread is rolled back when the tables are
	 * closed.
	 */
	public TransactionStatus begin(int isolation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		definition.setIsolationLevel(isolation);
		TransactionStatus transaction = this.transactions.getTransaction(definition);
		if (Thread.currentThread() == this.owner) {
			this.begun.push(transaction);
		}
		return transaction;
	}

	public void commit(TransactionStatus transaction) {
		this.transactions.commit(transaction);
	}

	/**
	 * An operator on the connections of the writer.
	 */
	public JdbcOutboxAdministration operator(boolean ordered, Consumer<Set<Integer>> wake) {
		return new JdbcOutboxAdministration(this.outbox, ordered, wake);
	}

	/**
	 * Write as the outbox does, in the current transaction if there is one.
	 */
	public void append(String... keys) {
		new JdbcOutboxStore(this.outbox, true).append(Arrays.stream(keys).map(OutboxTables::message).toList());
	}

	/**
	 * Write one message for each key, in one transaction.
	 */
	public void commit(String... keys) {
		TransactionStatus transaction = begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		append(keys);
		commit(transaction);
	}

	public static Message message(String key) {
		return new Message(UUID.randomUUID(), "order.placed", key, new Destination("", "nowhere"), "text/plain",
				"x".repeat(100).getBytes(StandardCharsets.UTF_8), Map.of());
	}

	/**
	 * Write many messages at once, to that many keys in turn.
	 */
	public void fill(int messages, int keys) {
		fill(messages, "CONCAT('filler-', MOD((a.id * 64 + b.id) * 64 + c.id, %d))".formatted(keys));
	}

	/**
	 * Write many messages of one key at once.
	 */
	public void fillWith(int messages, String key) {
		fill(messages, "'" + key + "'");
	}

	private void fill(int messages, String keyExpression) {
		this.jdbc
			.sql("""
					INSERT INTO outbox_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
					created_at, available_at)
					SELECT CASE WHEN f.k = '' THEN MOD(f.n, 64) ELSE MOD(CRC32(f.k), 64) END, '01a1f9e6-108b-7474-9246-6dc61b7dc692',
					'order.placed', f.k, '', 'nowhere', 'text/plain', 'x', UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
					FROM (SELECT (a.id * 64 + b.id) * 64 + c.id AS n, %s AS k
					FROM (SELECT id + 0 AS id FROM outbox_stripe) a CROSS JOIN (SELECT id + 0 AS id FROM outbox_stripe) b
					CROSS JOIN outbox_stripe c WHERE (a.id * 64 + b.id) * 64 + c.id < %d) f ORDER BY f.n"""
				.formatted(keyExpression, messages))
			.update();
	}

	/**
	 * Let messages have failed, so that they wait for an hour.
	 */
	public void stall(String condition) {
		fail(condition, inAnHour());
	}

	/**
	 * Let messages have failed, so that they wait for an operator.
	 */
	public void block(String condition) {
		fail(condition, "'9999-12-31'");
	}

	/**
	 * Let messages have failed without order, so that each waits for an hour in a lane of
	 * its own.
	 */
	public void stallEach(String condition) {
		stallEach(condition, inAnHour());
	}

	private String inAnHour() {
		SqlFragments sql = this.outbox.dialect().sql();
		return sql.after("3600000000", sql.now());
	}

	/**
	 * Let messages have failed without order, so that each waits for an operator in a
	 * lane of its own.
	 */
	public void blockEach(String condition) {
		stallEach(condition, "'9999-12-31'");
	}

	private void stallEach(String condition, String availableAt) {
		markAsFailed(condition);
		this.jdbc
			.sql("""
					INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
					SELECT -id, lane, CRC32(partition_key), partition_key, %s FROM outbox_message WHERE lane >= 0 AND (%s)"""
				.formatted(availableAt, condition))
			.update();
		this.jdbc.sql("UPDATE outbox_message SET lane = -id WHERE lane >= 0 AND (" + condition + ")").update();
		refreshRetry();
	}

	private void markAsFailed(String condition) {
		this.jdbc
			.sql("UPDATE outbox_message SET attempts = 3, last_error = 'returned', failed_at = UTC_TIMESTAMP(6) WHERE "
					+ condition)
			.update();
	}

	// As a relay does it: the head of a key that has failed opens a lane, and what is
	// behind it follows
	private void fail(String condition, String availableAt) {
		markAsFailed(condition);
		this.jdbc
			.sql("""
					INSERT INTO outbox_parked (lane, partition_id, key_hash, partition_key, available_at)
					SELECT -MIN(id), lane, CRC32(partition_key), partition_key, %s FROM outbox_message
					WHERE lane >= 0 AND (%s) GROUP BY lane, partition_key, CASE WHEN partition_key = '' THEN id ELSE 0 END"""
				.formatted(availableAt, condition))
			.update();
		String isBehind = """
				m.lane = k.partition_id AND m.partition_key = k.partition_key
				AND CASE WHEN m.partition_key = '' THEN m.id = -k.lane ELSE m.id >= -k.lane END""";
		this.jdbc.sql(this.database.choose("UPDATE outbox_message m JOIN outbox_parked k ON %s SET m.lane = k.lane",
				"UPDATE outbox_message m SET lane = k.lane FROM outbox_parked k WHERE %s",
				"MERGE INTO outbox_message m USING outbox_parked k ON %s WHEN MATCHED THEN UPDATE SET lane = k.lane")
			.formatted(isBehind)).update();
		refreshRetry();
	}

	/**
	 * Let parked keys be due that wait for another attempt.
	 */
	public void makeDue() {
		this.jdbc.sql("UPDATE outbox_parked SET available_at = UTC_TIMESTAMP(6) WHERE available_at < '9999-12-31'")
			.update();
		refreshRetry();
	}

	/**
	 * The partition of a key.
	 */
	public int partition(String key) {
		return this.outbox.partitions().of(key);
	}

	/**
	 * Lock the row of a partition, as a relay does that owns it.
	 */
	public void own(int partition) {
		this.jdbc.sql("SELECT id FROM outbox_partition WHERE id = ? FOR UPDATE").param(partition).query().singleRow();
	}

	/**
	 * Let the partitions say when the first of their parked keys is due.
	 */
	public void refreshRetry() {
		this.jdbc
			.sql("UPDATE outbox_partition p SET retry_at = (SELECT MIN(k.available_at) FROM outbox_parked k "
					+ "WHERE k.partition_id = p.id)")
			.update();
	}

	/**
	 * What a column says, in the order of the positions.
	 */
	public <T> List<T> column(Class<T> type, String column, String table) {
		return this.jdbc.sql("SELECT " + column + " FROM " + table + " ORDER BY id").query(type).list();
	}

	/**
	 * The positions from one to another.
	 */
	public static List<Long> positions(long first, long last) {
		return LongStream.rangeClosed(first, last).boxed().toList();
	}

	public long depth() {
		return this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
	}

	@Override
	public void close() {
		// The last one first, for which the others are suspended
		try {
			this.begun.stream()
				.filter((transaction) -> !transaction.isCompleted())
				.forEach(this.transactions::rollback);
		}
		finally {
			this.open.forEach(Runnable::run);
		}
	}

}
