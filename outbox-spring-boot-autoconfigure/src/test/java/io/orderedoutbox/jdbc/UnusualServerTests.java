/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxSchemaInitializer;
import io.orderedoutbox.autoconfigure.inbox.InboxSchemaInitializer;
import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.RewritingDataSource;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The start of an application on a server that is set up in another way than that of the
 * tests, or that fails at that moment. It is the same server, and some of what it is
 * asked is changed.
 */
@RequiresMySql
class UnusualServerTests {

	private final Database database = Servers.database().fresh();

	private final DataSource dataSource = new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(),
			this.database.password());

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	@Test
	void aBinaryLogOfStatementsIsRefused() {
		assertRefused((sql) -> sql.replace("@@GLOBAL.log_bin = 0 OR @@SESSION.binlog_format", "'STATEMENT'"))
			.withMessageContainingAll("The binary log of the database has the format STATEMENT", "binlog_format=ROW");
	}

	@Test
	void aCollationInWhichKeysAreEqualAndThatNoListOfColumnsTellsOfIsRefused() {
		assertRefused((sql) -> sql.replace("SELECT 'A')", "SELECT 'a')"))
			.withMessageContainingAll("a collation in which different keys are equal", "schema-mysql.sql");
	}

	@Test
	void anInstanceThatCreatesTablesForTooLongIsTold() {
		this.jdbc.execute((Connection other) -> {
			String lock = new OutboxDatabase(this.dataSource, "outbox_").dialect().questions().lock("outbox_");
			other.createStatement().executeQuery(lock);
			assertRefused((sql) -> sql.equals(lock) ? sql.replace(", 60)", ", 0)") : sql)
				.withMessageContainingAll("Another instance has been creating the tables", "Start again");
			return true;
		});
	}

	@Test
	void aServerThatEndsTheConnectionWhileItCreatesTablesIsNamed() {
		assertRefused(this::endingTheConnection).withMessageContainingAll(
				"The tables of the outbox could not be created: ", "outbox.jdbc.initialize-schema=never");
	}

	@Test
	void soIsOneThatDoesSoWithTheTablesOfTheInbox() {
		assertRefused(new InboxSchemaInitializer(new RewritingDataSource(this.dataSource, this::endingTheConnection),
				new InboxSchema("mysql", "inbox_message", "inbox_dead_letter")))
			.withMessageContainingAll("The tables of the inbox could not be created: ",
					"outbox.inbox.initialize-schema=never");
	}

	private String endingTheConnection(String sql) {
		if (sql.contains("GET_LOCK") || sql.contains("information_schema")) {
			this.jdbc
				.queryForList(
						"SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
						Long.class)
				.forEach((connection) -> this.jdbc.execute(this.database.kill(connection)));
		}
		return sql;
	}

	private ThrowableAssertAlternative<OutboxConfigurationException> assertRefused(UnaryOperator<String> change) {
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		properties.setInitializeSchema(DatabaseInitializationMode.ALWAYS);
		OutboxSchemaInitializer initializer = new OutboxSchemaInitializer(
				new OutboxDatabase(new RewritingDataSource(this.dataSource, change), "outbox_"), properties);
		return assertRefused(() -> {
			initializer.afterPropertiesSet();
			initializer.check();
		});
	}

	private static ThrowableAssertAlternative<OutboxConfigurationException> assertRefused(InitializingBean start) {
		return assertThatExceptionOfType(OutboxConfigurationException.class).isThrownBy(start::afterPropertiesSet);
	}

}
