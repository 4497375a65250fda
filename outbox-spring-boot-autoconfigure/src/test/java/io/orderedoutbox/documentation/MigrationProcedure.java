/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.documentation.Documents.Block;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.awaitility.Awaitility;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A procedure of the page about migration, with the tables that it starts from, those of
 * the outbox beside them, and a queue for what is relayed in the end.
 * <p>
 * The SQL is that of the page, but for the name of the exchange: on PostgreSQL of the
 * page that has its statements.
 */
final class MigrationProcedure implements AutoCloseable {

	static final String RABBIT_TEMPLATE = "## From publishing with RabbitTemplate";

	static final String ORDERED = "## From unordered to ordered";

	static final String HOME_MADE = "## From a home-made outbox table";

	static final String MODULITH = "## From Spring Modulith's event publications";

	static final String NAMASTACK = "### Move the records";

	private final Database database = Servers.database().fresh();

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcClient jdbc = JdbcClient.create(this.pool);

	private final TestQueue queue = TestQueue.forEverything();

	private final String prefix;

	private final List<Block> blocks;

	private final List<Block> function;

	private MigrationProcedure(String heading, String prefix, int blocks) {
		this.prefix = prefix;
		this.blocks = MigrationPages.blocks(this.database, heading)
			.stream()
			.map((block) -> block.with("'shop'", "'" + this.queue.exchange() + "'"))
			.collect(Collectors.toCollection(ArrayList::new));
		assertThat(this.blocks).as(heading).hasSize(blocks);
		this.function = MigrationPages.function(this.database);
		this.pool.setJdbcUrl(this.database.jdbcUrl());
		this.pool.setUsername(this.database.username());
		this.pool.setPassword(this.database.password());
		// Nothing may depend on the time zone of the session
		this.pool.setConnectionInitSql(choose("SET time_zone = '+05:00'", "SET TIME ZONE 5"));
		if (this.database.isPostgreSql()) {
			// A text may be meant for a column of another type
			this.pool.addDataSourceProperty("stringtype", "unspecified");
		}
	}

	/**
	 * Prepare a procedure.
	 * @param heading what it is below on the page
	 * @param prefix that of the tables of the outbox
	 * @param blocks how many blocks of SQL it has
	 */
	static MigrationProcedure of(String heading, String prefix, int blocks) {
		return new MigrationProcedure(heading, prefix, blocks);
	}

	/**
	 * One of two, for the database of the tests.
	 * @param mysql for MySQL and MariaDB
	 * @param postgresql for PostgreSQL
	 */
	String choose(String mysql, String postgresql) {
		return this.database.choose(mysql, postgresql);
	}

	/**
	 * The payload of a message as text, in SQL.
	 */
	String payloadAsText() {
		return choose("CONVERT(payload USING utf8mb4)", "convert_from(payload, 'UTF8')");
	}

	/**
	 * Make the tables of the outbox, as the page about them says, and the function that a
	 * move needs.
	 */
	void createOutbox() {
		ClassPathResource script = new ClassPathResource("schema-" + this.database.platform() + ".sql",
				OutboxTables.class);
		try {
			String tables = script.getContentAsString(StandardCharsets.UTF_8).replace("outbox_", this.prefix);
			new ResourceDatabasePopulator(new ByteArrayResource(tables.getBytes(StandardCharsets.UTF_8)))
				.execute(this.pool);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.function.stream().limit(1).forEach(this::run);
	}

	/**
	 * Make the tables of another library, as it does, and write the SQL for them.
	 */
	void createTablesOf(OtherLibrary library) {
		library.createTables(this.database, this.pool);
		this.blocks.replaceAll(library.rewriting(this.database));
	}

	ModulithEntities entities() {
		return ModulithEntities.in(this.pool);
	}

	TestQueue queue() {
		return this.queue;
	}

	/**
	 * Write much at once.
	 */
	void inTransaction(Runnable work) {
		new TransactionTemplate(new JdbcTransactionManager(this.pool)).executeWithoutResult((status) -> work.run());
	}

	JdbcClient jdbc() {
		return this.jdbc;
	}

	Block block(int index) {
		return this.blocks.get(index);
	}

	void run(int index) {
		run(block(index));
	}

	/**
	 * Run a block as a client does that ends at the first error.
	 */
	void run(Block block) {
		try (Connection connection = this.pool.getConnection()) {
			try {
				block.run(new SingleConnectionDataSource(connection, true));
			}
			finally {
				this.pool.evictConnection(connection);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The database cannot be reached", ex);
		}
	}

	/**
	 * The rows that a query of the procedure returns.
	 */
	List<Map<String, Object>> ask(int index) {
		return this.jdbc.sql(block(index).content().strip().replaceAll(";$", "")).query().listOfRows();
	}

	/**
	 * The numbers in the only row that a query of the procedure returns.
	 */
	Map<String, Integer> numbers(int index) {
		Map<String, Integer> numbers = new LinkedHashMap<>();
		assertThat(ask(index)).hasSize(1)
			.first()
			.satisfies((row) -> row.forEach((column, number) -> numbers.put(column, ((Number) number).intValue())));
		return numbers;
	}

	long depth() {
		return this.jdbc.sql("SELECT COUNT(*) FROM " + this.prefix + "message").query(Long.class).single();
	}

	/**
	 * An instance of the new version.
	 */
	Builder application() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.with("outbox.jdbc.initialize-schema", "never")
			.with("outbox.jdbc.table-prefix", this.prefix);
	}

	/**
	 * Let the new version run until it has relayed everything.
	 * @param count how many messages that is
	 * @param work what else it does
	 * @return what arrived
	 */
	List<Arrival> relay(int count, Consumer<OutboxApplication> work) {
		int before = this.queue.arrivals().size();
		try (OutboxApplication application = application().start()) {
			work.accept(application);
			Awaitility.await().until(() -> depth() == 0);
		}
		this.queue.await(before + count);
		List<Arrival> arrivals = List.copyOf(this.queue.arrivals());
		return arrivals.subList(before, arrivals.size());
	}

	static Map<String, Object> headers(Arrival arrival) {
		return Objects.requireNonNullElse(arrival.properties().getHeaders(), Map.of());
	}

	@Override
	public void close() {
		this.function.stream().skip(1).forEach(this::run);
		this.queue.close();
		this.pool.close();
	}

}
