/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.servers.RequiresMySql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a change of the tables costs the transactions that go on meanwhile: a backlog of
 * 250,000 messages, and one writer that commits one transaction after the other. The
 * longest of them is printed.
 */
@Tag("slow")
@Tag("thorough")
@RequiresMySql
@Timeout(300)
class SchemaChangeUnderLoadTests {

	private static final Logger logger = LoggerFactory.getLogger(SchemaChangeUnderLoadTests.class);

	private static final int BACKLOG = 250_000;

	private final OutboxTables tables = new OutboxTables();

	@BeforeEach
	void fill() {
		this.tables.fill(BACKLOG, 1000);
		this.tables.jdbc().sql("UPDATE outbox_message SET payload = REPEAT('x', 100)").update();
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatAnApplicationAddsAtItsStartHoldsUpNobody() throws Exception {
		Figure nothing = during("nothing", () -> {
		});
		Figure again = during("the script, run again", this::initialize);
		execute("ALTER TABLE outbox_message DROP COLUMN failed_at");
		execute("ALTER TABLE outbox_message DROP COLUMN last_error");
		Figure columns = during("two columns, added at once", this::initialize);
		execute("DROP TABLE outbox_archive");
		Figure table = during("a table, created", this::initialize);
		// An addition waits a second for a table, and those behind it with it
		assertThat(List.of(nothing, again, columns, table)).allMatch((figure) -> figure.longest().toMillis() < 3_000);
	}

	@Test
	void aTransactionThatIsOpenForLongHoldsUpTheAdditionAndOthersForASecondAtATime() throws Exception {
		execute("ALTER TABLE outbox_message DROP COLUMN last_error");
		TransactionStatus business = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.jdbc().sql("SELECT id FROM outbox_message LIMIT 1").query(Long.class).single();
		CountDownLatch given = new CountDownLatch(1);
		Thread start = new Thread(() -> {
			try {
				initialize();
			}
			catch (Exception ex) {
				given.countDown();
			}
		});
		Figure figure = during("a column, while a transaction that uses the table stays open", () -> {
			start.start();
			assertThat(given.await(30, TimeUnit.SECONDS)).as("the addition gives up").isTrue();
		});
		this.tables.commit(business);
		assertThat(figure.longest()).isLessThan(Duration.ofSeconds(4));
	}

	@Test
	void statementsThatTheErrorNamesHoldUpNobodyForAsLongAsTheyTake() throws Exception {
		execute("ALTER TABLE outbox_message ADD KEY other (id), DROP KEY outbox_message_id");
		Figure index = during("an index, added by the statement that is named",
				() -> execute("ALTER TABLE outbox_message ADD KEY outbox_message_id (id)"));
		assertThat(index.longest()).isLessThan(index.change());
	}

	@Test
	void theMigrationForWhichAllInstancesStand() {
		execute("DROP TABLE outbox_message, outbox_parked, outbox_partition, outbox_stripe, outbox_instance");
		run("schema-1-mysql.sql");
		execute("""
				INSERT /*+ SET_VAR(cte_max_recursion_depth = 1000000) */ INTO outbox_message (message_id, name, partition_key, exchange, routing_key, content_type, payload,
				created_at, available_at)
				WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
				SELECT UUID(), 'order.placed', CONCAT('key ', i %% 1000), '', 'nowhere', 'text/plain', REPEAT('x', 100),
				UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) FROM n"""
			.formatted(BACKLOG));
		long before = System.nanoTime();
		run("migration-1-to-2-mysql.sql");
		long duration = System.nanoTime() - before;
		logger.warn("the migration from schema 1 to schema 2: took {} ms", duration / 1_000_000);
		assertThat(this.tables.depth()).isEqualTo(BACKLOG);
	}

	private void run(String script) {
		new ResourceDatabasePopulator(new ClassPathResource(script, OutboxTables.class)).execute(this.tables.writer());
	}

	private Figure during(String what, Change change) throws Exception {
		AtomicBoolean ended = new AtomicBoolean();
		AtomicLong longest = new AtomicLong();
		AtomicLong committed = new AtomicLong();
		CountDownLatch begun = new CountDownLatch(1);
		Thread writer = new Thread(() -> {
			while (!ended.get() || committed.get() < 100) {
				long before = System.nanoTime();
				this.tables.commit("key " + committed.get() % 100);
				longest.accumulateAndGet(System.nanoTime() - before, Math::max);
				committed.incrementAndGet();
				begun.countDown();
			}
		});
		writer.start();
		long duration;
		try {
			assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
			longest.set(0);
			long before = System.nanoTime();
			change.run();
			duration = System.nanoTime() - before;
		}
		finally {
			ended.set(true);
			writer.join();
		}
		Figure figure = new Figure(what, Duration.ofNanos(duration), Duration.ofNanos(longest.get()));
		logger.warn("{}", figure);
		return figure;
	}

	private void initialize() throws Exception {
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		properties.setInitializeSchema(DatabaseInitializationMode.ALWAYS);
		OutboxSchemaInitializer initializer = new OutboxSchemaInitializer(this.tables.outbox(), properties);
		initializer.afterPropertiesSet();
		initializer.check();
	}

	private void execute(String sql) {
		this.tables.jdbc().sql(sql).update();
	}

	/**
	 * A change, and the longest of the transactions that went on meanwhile.
	 */
	private record Figure(String what, Duration change, Duration longest) {

		@Override
		public String toString() {
			return "%s: took %d ms, the longest transaction %d ms".formatted(this.what, this.change.toMillis(),
					this.longest.toMillis());
		}

	}

	/**
	 * Changes tables.
	 */
	@FunctionalInterface
	private interface Change {

		void run() throws Exception;

	}

}
