package io.orderedoutbox.store;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.assertj.core.util.introspection.PropertyOrFieldSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeptStatements}, as {@link JdbcOutboxStore} uses them.
 */
@Timeout(60)
class KeptStatementsTests {

	private OutboxApplication application = onConnections(1).start();

	private static OutboxApplication.Builder onConnections(int number) {
		return OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.datasource.hikari.maximum-pool-size", number);
	}

	private void restart(OutboxApplication.Builder other) {
		this.application.close();
		this.application = other.start();
	}

	@AfterEach
	void stop() {
		this.application.close();
	}

	@Test
	void singleEventsAreStoredByAStatementThatIsPreparedOnce() {
		publish(1, 2, 3);
		assertThat(prepared()).isEqualTo(1);
		assertThat(status("Com_stmt_execute")).isEqualTo(3);
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
		assertThat(status("Com_stmt_execute")).isEqualTo(4);
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
		this.application.bean(JdbcTemplate.class).execute((Connection connection) -> {
			connection.unwrap(JdbcConnection.class).resetServerState();
			return true;
		});
		publish(2, 3);
		assertThat(prepared()).isZero();
		assertStored(1, 2, 3);
	}

	@Test
	void inAnotherSchemaItIsAnotherStatement() {
		publish(1);
		try (OutboxApplication other = onConnections(1).start()) {
			String home = schemaOf(this.application);
			useSchema(schemaOf(other));
			publish(2);
			useSchema(home);
			assertThat(versions(other)).containsExactly(2);
		}
		publish(3);
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
		assertThat(status("Com_stmt_execute")).isZero();
		assertStored(1, 2);
	}

	@Test
	void whatBelongsToClosedConnectionsIsLetGo() {
		restart(onConnections(1).with("spring.datasource.hikari.minimum-idle", 0));
		HikariDataSource pool = this.application.bean(HikariDataSource.class);
		for (int version = 1; version <= 5; version++) {
			publish(version);
			pool.getHikariPoolMXBean().softEvictConnections();
			Awaitility.await().until(() -> pool.getHikariPoolMXBean().getTotalConnections() == 0);
		}
		Object kept = PropertyOrFieldSupport.EXTRACTION.getValueOf("kept.kept",
				this.application.bean(OutboxStore.class));
		assertThat((Map<?, ?>) kept).hasSize(1);
		assertStored(1, 2, 3, 4, 5);
	}

	@Test
	void theTimeoutOfATransactionDoesNotApplyToTheNext() throws Exception {
		restart(onConnections(2));
		TransactionTemplate hasty = new TransactionTemplate(this.application.transaction().getTransactionManager());
		hasty.setTimeout(1);
		// On both connections
		hasty.executeWithoutResult((status) -> {
			this.application.outbox().publish(new OrderPlaced("a", 1));
			CompletableFuture
				.runAsync(() -> hasty
					.executeWithoutResult((other) -> this.application.outbox().publish(new OrderPlaced("a", 2))),
						OWN_THREAD)
				.join();
		});
		CompletableFuture<Void> waiting = this.application.transaction().execute((status) -> {
			Stripes.lock(this.application.bean(JdbcTemplate.class), this.application.bean(OutboxDatabase.class),
					List.of("a"));
			CompletableFuture<Void> other = CompletableFuture.runAsync(() -> publish(3), OWN_THREAD);
			Awaitility.await()
				.pollInSameThread()
				.atMost(Duration.ofSeconds(20))
				.until(this::hasWaitedLongerThanASecond);
			return other;
		});
		waiting.get(20, TimeUnit.SECONDS);
		assertStored(2, 1, 3);
	}

	private boolean hasWaitedLongerThanASecond() {
		return this.application.jdbc()
			.sql("""
					SELECT COUNT(*) FROM information_schema.innodb_trx t
					JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
					WHERE t.trx_wait_started < TIMESTAMPADD(SECOND, -2, NOW()) AND p.db = DATABASE()""")
			.query(Integer.class)
			.single() > 0;
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

	// Of the only connection
	private int status(String variable) {
		return this.application.jdbc()
			.sql("SHOW SESSION STATUS LIKE '" + variable + "'")
			.query((row, number) -> row.getInt("Value"))
			.single();
	}

}
