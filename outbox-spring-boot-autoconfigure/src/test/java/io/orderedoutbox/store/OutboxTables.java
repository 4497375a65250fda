package io.orderedoutbox.store;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Destination;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.servers.TcpProxy;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * The tables of the outbox in a schema of their own, somebody who writes, and any number
 * of workers.
 */
final class OutboxTables implements AutoCloseable {

	private final Database database = Servers.database().fresh();

	private final List<Runnable> open = new ArrayList<>();

	private final Thread owner = Thread.currentThread();

	private final Deque<TransactionStatus> begun = new ArrayDeque<>();

	private final HikariDataSource writer = pool(this.database, 12);

	private final OutboxDatabase outbox = new OutboxDatabase(this.writer, "outbox_");

	private final JdbcClient jdbc = JdbcClient.create(this.writer);

	private final JdbcTransactionManager transactions = new JdbcTransactionManager(this.writer);

	OutboxTables() {
		this.open.add(this.writer::close);
		this.transactions.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		new ResourceDatabasePopulator(new ClassPathResource(
				"schema-" + (this.database.isMySql() ? "mysql" : "mariadb") + ".sql", OutboxTables.class))
			.execute(this.writer);
	}

	private static HikariDataSource pool(Database database, int size) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(database.jdbcUrl());
		pool.addDataSourceProperty("queryInterceptors", SqlLog.class.getName());
		pool.setUsername(database.username());
		pool.setPassword(database.password());
		pool.setMaximumPoolSize(size);
		pool.setMinimumIdle(0);
		// Whoever waits for somebody else's lock is found out soon
		pool.setConnectionInitSql("SET SESSION innodb_lock_wait_timeout = 2");
		return pool;
	}

	Worker worker(ClaimSettings settings) {
		HikariDataSource pool = pool(1);
		return new Worker(pool, settings);
	}

	/**
	 * A worker that archives what it publishes.
	 */
	Worker archivingWorker(ClaimSettings settings) {
		HikariDataSource pool = pool(1);
		return new Worker(new OutboxDatabase(pool, "outbox_", true), settings);
	}

	/**
	 * What was archived, on the connections of the writer.
	 */
	JdbcArchive archive() {
		return new JdbcArchive(this.outbox);
	}

	/**
	 * A worker of a relay that must not miss anything.
	 */
	Worker thoroughWorker(ClaimSettings settings) {
		HikariDataSource pool = pool(1);
		OutboxDatabase database = new OutboxDatabase(pool, "outbox_");
		return new Worker(database, JdbcRelayStore.thorough(database, settings));
	}

	/**
	 * A worker to whom something happens once, after it has looked and before it locks.
	 */
	Worker workerInterrupted(ClaimSettings settings, Runnable betweenLookAndLock) {
		// What looks outside a transaction has no use for it
		return workerInterruptedOnce(settings, "setAutoCommit", betweenLookAndLock);
	}

	/**
	 * The same, also if there is nothing to lock.
	 */
	Worker workerInterruptedAfterLook(ClaimSettings settings, Runnable afterLook) {
		return workerInterruptedOnce(settings, "close", afterLook);
	}

	private Worker workerInterruptedOnce(ClaimSettings settings, String interruptedMethod, Runnable work) {
		HikariDataSource pool = pool(1);
		AtomicBoolean due = new AtomicBoolean();
		Worker worker = new Worker(interrupted(pool, interruptedMethod, () -> {
			if (due.getAndSet(false)) {
				work.run();
			}
		}), settings);
		// It asks for the version of the server once, which is no look
		worker.database().statements();
		due.set(true);
		return worker;
	}

	/**
	 * Something happens each time before a method of a connection is called.
	 */
	static DataSource interrupted(DataSource dataSource, String interruptedMethod, Runnable work) {
		return new DelegatingDataSource(dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							if (method.getName().equals(interruptedMethod)) {
								work.run();
							}
							return method.invoke(connection, arguments);
						});
			}

		};
	}

	/**
	 * A worker that may come upon another server, with the same messages or without, and
	 * for which time is slow.
	 * @param server its name
	 */
	Worker workerOn(Supplier<String> server, ClaimSettings settings) {
		HikariDataSource pool = pool(1);
		String name = statements().dialect().server();
		DataSource named = new DelegatingDataSource(pool) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return proxy(Connection.class, (method, arguments) -> {
					Object result = method.invoke(connection, arguments);
					return (result instanceof Statement statement && method.getName().equals("createStatement"))
							? renaming(statement) : result;
				});
			}

			private Statement renaming(Statement statement) {
				return proxy(Statement.class,
						(method, arguments) -> (arguments != null && arguments[0] instanceof String sql)
								? method.invoke(statement, sql.replace(name, "'" + server.get() + "'"))
								: method.invoke(statement, arguments));
			}

			private <T> T proxy(Class<T> type, Calls calls) {
				return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
						(proxy, method, arguments) -> calls.call(method, arguments)));
			}

		};
		OutboxDatabase led = new OutboxDatabase(named, "outbox_");
		return new Worker(led, new JdbcRelayStore(led, settings, false, new SlowClock()));
	}

	private interface Calls {

		Object call(Method method, Object[] arguments) throws ReflectiveOperationException;

	}

	/**
	 * A worker on one connection that no pool restores behind its back.
	 */
	Worker workerWithoutPool(ClaimSettings settings) {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password(), true);
		this.open.add(connection::destroy);
		return new Worker(connection, settings);
	}

	/**
	 * A network between a worker and the database.
	 */
	TcpProxy proxy() {
		return TcpProxy.to(this.database);
	}

	/**
	 * A worker behind that network, on one connection that no pool looks after.
	 */
	Worker workerThrough(TcpProxy proxy, ClaimSettings settings) {
		String url = this.database.jdbcUrl().replaceFirst("//[^/]+/", "//%s:%d/".formatted(proxy.host(), proxy.port()));
		return new Worker(new SingleConnectionDataSource(url, this.database.username(), this.database.password(), true),
				settings);
	}

	/**
	 * The schema.
	 */
	String name() {
		return this.jdbc.sql("SELECT DATABASE()").query(String.class).single();
	}

	JdbcClient jdbc() {
		return this.jdbc;
	}

	OutboxStatements statements() {
		return this.outbox.statements();
	}

	Explain explain() {
		return new Explain(this.jdbc, statements().dialect());
	}

	/**
	 * A connection without a pool that commits nothing by itself.
	 */
	DataSource connectionWithoutAutoCommit() {
		SingleConnectionDataSource connection = new SingleConnectionDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password(), true);
		connection.setAutoCommit(false);
		this.open.add(connection::destroy);
		return connection;
	}

	/**
	 * Connections to the same database.
	 */
	HikariDataSource pool(int size) {
		HikariDataSource pool = pool(this.database, size);
		this.open.add(pool::close);
		return pool;
	}

	HikariDataSource writer() {
		return this.writer;
	}

	/**
	 * Begin a transaction, on this thread but apart from those of the workers. What a
	 * test that fails leaves behind on its own thread is rolled back when the tables are
	 * closed.
	 */
	TransactionStatus begin(int isolation) {
		DefaultTransactionDefinition definition = new DefaultTransactionDefinition(
				TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		definition.setIsolationLevel(isolation);
		TransactionStatus transaction = this.transactions.getTransaction(definition);
		if (Thread.currentThread() == this.owner) {
			this.begun.push(transaction);
		}
		return transaction;
	}

	void commit(TransactionStatus transaction) {
		this.transactions.commit(transaction);
	}

	/**
	 * An operator on the connections of the writer.
	 */
	JdbcOutboxAdministration operator(boolean ordered, Runnable wake) {
		return new JdbcOutboxAdministration(this.outbox, ordered, wake);
	}

	/**
	 * Write as the outbox does, in the current transaction if there is one.
	 */
	void append(String... keys) {
		new JdbcOutboxStore(this.outbox, true).append(Arrays.stream(keys).map(OutboxTables::message).toList());
	}

	/**
	 * Write one message for each key, in one transaction.
	 */
	void commit(String... keys) {
		TransactionStatus transaction = begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		append(keys);
		commit(transaction);
	}

	static Message message(String key) {
		return new Message(UUID.randomUUID(), "order.placed", key, new Destination("", "nowhere"), "text/plain",
				"x".repeat(100).getBytes(StandardCharsets.UTF_8), Map.of());
	}

	/**
	 * Write many messages at once, to that many keys in turn.
	 */
	void fill(int messages, int keys) {
		fill(messages, "CONCAT('filler-', MOD(a.id * 1024 + b.id, %d))".formatted(keys));
	}

	/**
	 * Write many messages of one key at once.
	 */
	void fillWith(int messages, String key) {
		fill(messages, "'" + key + "'");
	}

	private void fill(int messages, String keyExpression) {
		this.jdbc
			.sql("""
					INSERT INTO outbox_message (message_id, name, partition_key, exchange, routing_key, content_type, payload,
					created_at, available_at)
					SELECT '01a1f9e6-108b-7474-9246-6dc61b7dc692', 'order.placed', %s, '', 'nowhere', 'text/plain', 'x',
					UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)
					FROM outbox_stripe a CROSS JOIN outbox_stripe b WHERE a.id * 1024 + b.id < %d
					ORDER BY a.id, b.id"""
				.formatted(keyExpression, messages))
			.update();
	}

	/**
	 * Make messages wait for an hour.
	 */
	void delay(String condition) {
		this.jdbc
			.sql("UPDATE outbox_message SET available_at = TIMESTAMPADD(HOUR, 1, UTC_TIMESTAMP(6)) WHERE " + condition)
			.update();
	}

	/**
	 * Let messages have failed, so that they wait for an hour.
	 */
	void stall(String condition) {
		fail(condition, "TIMESTAMPADD(HOUR, 1, UTC_TIMESTAMP(6))");
	}

	/**
	 * Let messages have failed, so that they wait for an operator.
	 */
	void block(String condition) {
		fail(condition, "'9999-12-31'");
	}

	private void fail(String condition, String availableAt) {
		this.jdbc
			.sql("UPDATE outbox_message SET attempts = 3, last_error = 'returned', failed_at = UTC_TIMESTAMP(6), "
					+ "available_at = " + availableAt + " WHERE " + condition)
			.update();
		this.jdbc.sql("INSERT INTO outbox_failed SELECT id FROM outbox_message WHERE " + condition).update();
	}

	/**
	 * What a column says, in the order of the positions.
	 */
	<T> List<T> column(Class<T> type, String column, String table) {
		return this.jdbc.sql("SELECT " + column + " FROM " + table + " ORDER BY id").query(type).list();
	}

	/**
	 * However fast or slow this machine is, looks begin here, and the next full look is
	 * far away.
	 */
	static void keepMark(Scan scan, long mark) {
		scan.mark().set(mark);
		long inAnHour = scan.clock().getAsLong() + Duration.ofHours(1).toNanos();
		fullLooks(scan).looked(inAnHour, inAnHour);
	}

	static FullLooks fullLooks(Scan scan) {
		return (FullLooks) ReflectionTestUtils.getField(scan, "fullLooks");
	}

	/**
	 * The positions from one to another.
	 */
	static List<Long> positions(long first, long last) {
		return LongStream.rangeClosed(first, last).boxed().toList();
	}

	long depth() {
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

	/**
	 * Claims on a connection of its own.
	 */
	static final class Worker {

		private final DataSource pool;

		private final OutboxDatabase database;

		private final RelayStore store;

		private final Claims claims;

		private Worker(DataSource pool, ClaimSettings settings) {
			this(new OutboxDatabase(pool, "outbox_"), settings);
		}

		private Worker(OutboxDatabase database, ClaimSettings settings) {
			this(database, new JdbcRelayStore(database, settings));
		}

		private Worker(OutboxDatabase database, RelayStore store) {
			this.pool = database.dataSource();
			this.database = database;
			this.store = store;
			this.claims = store.claims();
		}

		/**
		 * Another worker of the same instance.
		 */
		Worker colleague() {
			return new Worker(this.database, this.store);
		}

		/**
		 * A claim of a worker that rests after it: its connection is back when the claim
		 * is closed.
		 */
		Claim next() {
			Claim next = this.claims.next();
			return (next != null) ? new DelegatingClaim(next) {

				@Override
				public void close() {
					try {
						super.close();
					}
					finally {
						Worker.this.claims.rest();
					}
				}

			} : null;
		}

		OutboxDatabase database() {
			return this.database;
		}

		Claims claims() {
			return this.claims;
		}

		/**
		 * Claim and complete once.
		 * @return what was claimed
		 */
		List<Long> completeNext() {
			try (Claim claim = next()) {
				List<Long> ids = ids(claim);
				claim.complete(ids, List.of());
				return ids;
			}
		}

		RelayStore store() {
			return this.store;
		}

		/**
		 * Looks begin here, and the next full look is far away.
		 */
		void keepMark(long mark) {
			OutboxTables.keepMark(scan(), mark);
		}

		long mark() {
			return scan().mark().get();
		}

		Scan scan() {
			return (Scan) ReflectionTestUtils.getField(this.claims, "scan");
		}

		/**
		 * Statements on the connection of the claim, while there is one.
		 */
		JdbcClient jdbc() {
			return JdbcClient.create(this.pool);
		}

		long connectionId() {
			return jdbc().sql("SELECT CONNECTION_ID()").query(Long.class).single();
		}

		Dialect dialect() {
			return this.database.statements().dialect();
		}

		/**
		 * Close the socket without a word, as the end of the process would.
		 */
		void abort() {
			new JdbcTemplate(this.pool).execute((Connection connection) -> {
				connection.unwrap(com.mysql.cj.jdbc.JdbcConnection.class).abort(Runnable::run);
				return true;
			});
		}

		/**
		 * Claim and complete until there is nothing left, or too often.
		 */
		List<List<StoredMessage>> drain(int maxClaims) {
			List<List<StoredMessage>> batches = new ArrayList<>();
			for (int count = 0; count < maxClaims; count++) {
				try (Claim claim = next()) {
					if (claim == null) {
						break;
					}
					batches.add(claim.runs().stream().flatMap((run) -> run.messages().stream()).toList());
					claim.complete(ids(claim), List.of());
				}
			}
			return batches;
		}

		static List<Long> ids(Claim claim) {
			return claim.runs().stream().flatMap((run) -> run.messages().stream()).map(StoredMessage::id).toList();
		}

		static List<String> keys(Claim claim) {
			return claim.runs().stream().map((run) -> run.messages().get(0).message().partitionKey()).toList();
		}

	}

}
