/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Destination;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.assertj.core.util.introspection.PropertyOrFieldSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KeptStatements}, as {@link JdbcOutboxStore} uses them.
 */
@Timeout(60)
class KeptStatementsTests {

	private OutboxApplication application = onConnections(1).start();

	private static OutboxApplication.Builder onConnections(int number) {
		return OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.jdbc.prepare-on-server", true)
			.with("spring.datasource.hikari.maximum-pool-size", number);
	}

	private void restart(OutboxApplication.Builder other) {
		this.application.close();
		this.application = other.start();
	}

	@BeforeAll
	static void skip() {
		OutboxTables.skipOnPostgreSql("its driver prepares what it sends often by itself");
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	void singleEventsAreStoredByAStatementThatIsPreparedOnceAfterTheFirst() {
		publish(1, 2, 3);
		assertThat(prepared()).isEqualTo(1);
		assertThat(executed()).isEqualTo(2);
		assertStored(1, 2, 3);
	}

	@Test
	void anEventWithoutAKeyHasAStatementOfItsOwn() {
		for (int version = 1; version <= 2; version++) {
			int number = version;
			this.application
				.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", number), PartitionKeyStamp.none()));
		}
		publish(3, 4);
		assertThat(prepared()).isEqualTo(2);
		assertThat(executed()).isEqualTo(2);
		assertStored(1, 2, 3, 4);
	}

	@Test
	void severalEventsAreSentAsText() {
		this.application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
		assertThat(prepared()).isZero();
		assertStored(1, 2);
	}

	@Test
	void nothingIsPreparedWhereItIsSwitchedOff() {
		restart(onConnections(1).with("outbox.jdbc.prepare-on-server", "false"));
		publish(1, 2);
		assertThat(prepared()).isZero();
		assertStored(1, 2);
	}

	@Test
	void whatAConnectionLosesWhenItIsResetIsSentAsText() {
		publish(1);
		assertThat(prepared()).isEqualTo(1);
		this.application.bean(JdbcTemplate.class).execute((Connection connection) -> {
			connection.unwrap(JdbcConnection.class).resetServerState();
			return true;
		});
		publish(2, 3);
		assertThat(prepared()).isZero();
		assertStored(1, 2, 3);
	}

	@Test
	void inAnotherSchemaTheSameConnectionSendsText() {
		publish(1);
		try (OutboxApplication other = onConnections(1).start()) {
			String home = schemaOf(this.application);
			useSchema(schemaOf(other));
			publish(2);
			useSchema(home);
			assertThat(versions(other)).containsExactly(2);
		}
		assertThat(executed()).isZero();
		publish(3);
		assertThat(executed()).isEqualTo(1);
		assertThat(prepared()).isEqualTo(1);
		assertStored(1, 3);
	}

	@Test
	void aTableThatIsAlteredMeanwhileIsNoProblem() {
		publish(1);
		this.application.jdbc().sql("ALTER TABLE outbox_message ADD COLUMN more INT NULL FIRST").update();
		publish(2, 3);
		assertThat(prepared()).isEqualTo(1);
		assertStored(1, 2, 3);
	}

	@Test
	@RequiresMySql
	void aServerThatHasTooManyGetsThemAsText() {
		Integer most = this.application.jdbc()
			.sql("SELECT @@GLOBAL.max_prepared_stmt_count")
			.query(Integer.class)
			.single();
		this.application.jdbc().sql("SET GLOBAL max_prepared_stmt_count = 0").update();
		try {
			publish(1, 2);
		}
		finally {
			this.application.jdbc().sql("SET GLOBAL max_prepared_stmt_count = " + most).update();
		}
		assertThat(executed()).isZero();
		assertStored(1, 2);
	}

	// Unknown command, which the driver takes for a lost connection, and what a proxy
	// says that has no word for it
	@ParameterizedTest
	@ValueSource(ints = { 1047, 1105 })
	void whoRefusesToPrepareForWhateverReasonGetsText(int code) {
		Database database = Servers.database().fresh();
		try (TcpProxy proxy = TcpProxy.to(database)) {
			refuseToPrepare(proxy, database, code);
			publish(1, 2);
			assertThat(kept()).hasSize(1);
			assertThat(prepared()).isZero();
			assertStored(1, 2);
		}
	}

	// Lock wait timeout, connection to the server lost, and one of a proxy: the
	// transaction may be over, and its commit would succeed with nothing in it
	@ParameterizedTest
	@ValueSource(ints = { 1205, 2013, 9001 })
	void aRefusalThatMayHaveEndedTheTransactionFailsItAndNoOther(int code) {
		Database database = Servers.database().fresh();
		try (TcpProxy proxy = TcpProxy.to(database)) {
			refuseToPrepare(proxy, database, code);
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> publish(1));
			proxy.answer("\u0016INSERT", refusal(code));
			publish(2);
			assertStored(2);
		}
	}

	private void refuseToPrepare(TcpProxy proxy, Database database, int code) {
		String url = database.jdbcUrl().replaceFirst("//[^/]+/", "//%s:%d/".formatted(proxy.host(), proxy.port()));
		restart(onConnections(1).with("spring.datasource.url", url));
		proxy.answer("\u0016INSERT", refusal(code));
	}

	// A packet of MySQL's protocol: length, number, then an error with its code and state
	private static byte[] refusal(int code) {
		byte[] text = "#HY000not here".getBytes(StandardCharsets.ISO_8859_1);
		return ByteBuffer.allocate(text.length + 7)
			.put(new byte[] { (byte) (text.length + 3), 0, 0, 1, (byte) 0xff, (byte) code, (byte) (code >> 8) })
			.put(text)
			.array();
	}

	@Test
	void whatBelongsToClosedConnectionsIsLetGo() {
		for (int version = 1; version <= 5; version++) {
			publish(version);
			PreparedStatement last = keptStatement();
			this.application.bean(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
			Awaitility.await().until(last::isClosed);
		}
		assertStored(1, 2, 3, 4, 5);
	}

	@Test
	void theTimeoutOfATransactionDoesNotApplyToTheNext() throws SQLException {
		publish(1);
		withTimeout(30).executeWithoutResult((status) -> this.application.outbox().publish(new OrderPlaced("a", 2)));
		assertThat(keptStatement().getQueryTimeout()).isPositive();
		publish(3);
		assertThat(keptStatement().getQueryTimeout()).isZero();
		assertStored(1, 2, 3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aTimeoutWhileItWaitsForTheStripeIsATimeout(boolean prepared) {
		restart(onConnections(2).with("outbox.jdbc.prepare-on-server", prepared));
		publishOnTwoConnections();
		assertThat(kept()).hasSize(prepared ? 2 : 0);
		this.application.transaction().executeWithoutResult((status) -> {
			OutboxDatabase database = this.application.bean(OutboxDatabase.class);
			new Stripes(database.jdbc(), database).lock(List.of(database.partitions().of("a")));
			assertTimesOut(3);
		});
		// What has failed is let go of, so that the pool sees what fails next
		assertThat(kept()).hasSize(prepared ? 1 : 0);
		publish(4);
		assertStored(1, 2, 4);
	}

	@Test
	void aTimeoutWhileItWaitsForATableToBeAlteredIsATimeout() throws Exception {
		restart(onConnections(3));
		CompletableFuture<Void> altering = this.application.transaction().execute((status) -> {
			assertThat(this.application.rows()).isEmpty();
			CompletableFuture<Void> waiting = CompletableFuture.runAsync(
					() -> this.application.jdbc().sql("ALTER TABLE outbox_message COMMENT = 'altered'").update(),
					OWN_THREAD);
			Awaitility.await()
				.pollInSameThread()
				.until(() -> this.application.jdbc()
					.sql("""
							SELECT COUNT(*) FROM information_schema.processlist
							WHERE db = DATABASE() AND state = 'Waiting for table metadata lock'""")
					.query(Integer.class)
					.single() == 1);
			assertTimesOut(1);
			return waiting;
		});
		altering.get(30, TimeUnit.SECONDS);
		publish(2);
		assertStored(2);
	}

	private void assertTimesOut(int version) {
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(
				() -> withTimeout(1)
					.executeWithoutResult((status) -> this.application.outbox().publish(new OrderPlaced("a", version))),
				OWN_THREAD);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> waiting.get(30, TimeUnit.SECONDS))
			.withStackTraceContaining(QueryTimeoutException.class.getName());
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2 })
	void whatCannotBeStoredFailsTheTransactionAndNotTheNext(int before) {
		Business business = Business.in(this.application.jdbc());
		publish(IntStream.range(0, before).toArray());
		this.application.jdbc().sql("RENAME TABLE outbox_message TO away").update();
		assertThatExceptionOfType(BadSqlGrammarException.class)
			.isThrownBy(() -> this.application.transaction().executeWithoutResult((status) -> {
				business.write("not without its event");
				this.application.outbox().publish(new OrderPlaced("a", 1));
			}));
		assertThat(business.notes()).isEmpty();
		assertThat(kept()).isEmpty();
		this.application.jdbc().sql("RENAME TABLE away TO outbox_message").update();
		int executed = executed();
		publish(before, before + 1);
		assertThat(executed()).isEqualTo(executed + 1);
		assertStored(IntStream.range(0, before + 2).boxed().toArray(Integer[]::new));
	}

	// The driver refuses anything else then, and loses its place in what it reads when it
	// is asked to prepare something
	@Test
	void whoHasNotReadEverythingDoesNotLoseTheConnection() {
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.application.transaction().executeWithoutResult((status) -> {
				this.application.bean(JdbcTemplate.class).execute((Connection connection) -> {
					Statement statement = connection.createStatement();
					statement.setFetchSize(Integer.MIN_VALUE);
					return statement.executeQuery("""
							SELECT REPEAT('x', 1000) FROM outbox_stripe a CROSS JOIN outbox_stripe b
							CROSS JOIN outbox_stripe c WHERE c.id < 8""").next();
				});
				this.application.outbox().publish(new OrderPlaced("a", 1));
			}));
		publish(2, 3);
		assertStored(2, 3);
	}

	// The driver may go from one server to the other with every transaction
	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://", "jdbc:mysql:loadbalance://", "jdbc:mysql:replication://" })
	void nothingIsPreparedWhereTheDriverHasSeveralServers(String protocol) {
		Database database = Servers.database().fresh();
		String severalHosts = database.jdbcUrl().replaceFirst("jdbc:mysql://([^/]+)/", protocol + "$1,$1/");
		restart(onConnections(1).with("spring.datasource.url", severalHosts));
		publish(1, 2);
		assertThat(prepared()).isZero();
		assertStored(1, 2);
	}

	@Test
	void bytesAreStoredAsTheyAreWhateverTheConnectionSpeaks() {
		restart(onConnections(1).with("spring.datasource.hikari.connection-init-sql",
				"SET character_set_connection = latin1"));
		byte[] payload = new byte[256];
		IntStream.range(0, payload.length).forEach((i) -> payload[i] = (byte) i);
		append(payload);
		append(payload);
		assertThat(executed()).isEqualTo(1);
		assertThat(this.application.rows()).extracting(StoredRow::payload).containsExactly(payload, payload);
	}

	@Test
	void whatIsLargeIsSentAsText() {
		publish(1);
		append(new byte[(1 << 20) + 1]);
		assertThat(executed()).isZero();
		append(new byte[1 << 20]);
		assertThat(executed()).isEqualTo(1);
	}

	private void append(byte[] payload) {
		Message message = new Message(UUID.randomUUID(), "name", "key", new Destination("", ""), "text/plain", payload,
				Map.of());
		this.application.transaction()
			.executeWithoutResult((status) -> this.application.bean(OutboxStore.class).append(List.of(message)));
	}

	private void publishOnTwoConnections() {
		this.application.transaction().executeWithoutResult((status) -> {
			this.application.bean(JdbcTemplate.class).execute("SELECT 1");
			CompletableFuture.runAsync(() -> publish(1), OWN_THREAD).join();
			this.application.outbox().publish(new OrderPlaced("a", 2));
		});
	}

	private TransactionTemplate withTimeout(int seconds) {
		TransactionTemplate template = new TransactionTemplate(this.application.transaction().getTransactionManager());
		template.setTimeout(seconds);
		return template;
	}

	private Map<?, ?> kept() {
		return (Map<?, ?>) PropertyOrFieldSupport.EXTRACTION.getValueOf("kept.kept",
				this.application.bean(OutboxStore.class));
	}

	private PreparedStatement keptStatement() {
		assertThat(kept()).hasSize(1);
		return (PreparedStatement) PropertyOrFieldSupport.EXTRACTION.getValueOf("statement",
				kept().values().iterator().next());
	}

	// Each in a transaction of its own
	private void publish(int... versions) {
		IntStream.of(versions).forEach((version) -> this.application.publish(new OrderPlaced("a", version)));
	}

	private void assertStored(Integer... versions) {
		assertThat(versions(this.application)).containsExactly(versions);
	}

	private static List<Integer> versions(OutboxApplication application) {
		return application.rows()
			.stream()
			.map((row) -> Integer.valueOf(row.text().replaceAll(".*\"version\":(\\d+).*", "$1")))
			.toList();
	}

	private static String schemaOf(OutboxApplication application) {
		return application.jdbc().sql("SELECT DATABASE()").query(String.class).single();
	}

	// The pool does not set it back
	private void useSchema(String schema) {
		this.application.bean(JdbcTemplate.class).execute((Connection connection) -> {
			connection.setCatalog(schema);
			return true;
		});
	}

	// MySQL does it once more when it has seen the first values, and after the table has
	// changed
	private int prepared() {
		return status("Com_stmt_prepare") - status("Com_stmt_reprepare");
	}

	private int executed() {
		return status("Com_stmt_execute");
	}

	// Of the only connection
	private int status(String variable) {
		return this.application.jdbc()
			.sql("SHOW SESSION STATUS LIKE '" + variable + "'")
			.query((row, number) -> row.getInt("Value"))
			.single();
	}

}
