/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Transactions that have nothing to do with that of their caller.
 */
@ExtendWith(OutputCaptureExtension.class)
class OwnTransactionsTests {

	private final OutboxTables tables = new OutboxTables();

	private final HikariDataSource pool = this.tables.pool(2);

	private final List<Boolean> readOnly = new ArrayList<>();

	private final OutboxDatabase database = new OutboxDatabase(new DelegatingDataSource(this.pool) {

		@Override
		public Connection getConnection() throws SQLException {
			OwnTransactionsTests.this.readOnly.add(TransactionSynchronizationManager.isCurrentTransactionReadOnly());
			return super.getConnection();
		}

	}, "outbox_");

	private final OwnTransactions transactions = new OwnTransactions(this.database);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aConnectionIsNotChosenByWhatTheCallerIsIn() {
		this.database.statements();
		this.readOnly.clear();
		TransactionTemplate caller = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		caller.setReadOnly(true);
		caller.executeWithoutResult((status) -> {
			this.transactions.run(true,
					(jdbc) -> jdbc.update("INSERT INTO outbox_pause (id, paused_at) VALUES (1, UTC_TIMESTAMP(6))"));
			assertThat(TransactionSynchronizationManager.isCurrentTransactionReadOnly()).isTrue();
			status.setRollbackOnly();
		});
		assertThat(this.readOnly).containsExactly(false);
		assertThat(this.tables.column(Long.class, "id", "outbox_pause")).containsExactly(1L);
	}

	@Test
	void theConnectionIsGivenBackHoweverItEnds() {
		assertThatIllegalStateException().isThrownBy(() -> this.transactions.run(true, (jdbc) -> {
			throw new IllegalStateException("on purpose");
		}));
		int one = this.transactions.run(false, (jdbc) -> jdbc.queryForList("SELECT 1").size());
		assertThat(one).isOne();
		assertThat(this.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
	}

	@Test
	void aConnectionThatIsLostWhileItWorksIsSaidByItsExceptionAlone(CapturedOutput output) {
		OutboxTables.skipOnH2("it has no connection that could be lost");
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> this.transactions.run(true, (jdbc) -> {
			this.tables.kill(jdbc.queryForObject("SELECT CONNECTION_ID()", Long.class));
			return jdbc.queryForObject("SELECT 1", Integer.class);
		})).withMessageContaining("SELECT 1");
		assertThat(output).doesNotContain("TransactionTemplate");
		int one = this.transactions.run(false, (jdbc) -> jdbc.queryForList("SELECT 1").size());
		assertThat(one).isOne();
	}

	@Test
	void aConnectionThatIsLostBeforeItBeginsIsADataAccessExceptionToo() {
		OutboxTables.skipOnPostgreSql("nothing is set before it begins");
		OutboxDatabase lost = new OutboxDatabase(
				OutboxTables.interrupted(this.tables.connectionWithoutAutoCommit(), "setTransactionIsolation", () -> {
					throw new IllegalStateException(new SQLException("on purpose"));
				}), "outbox_");
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> lost.look(Duration.ofSeconds(5), (jdbc) -> jdbc.queryForList("SELECT 1")));
	}

}
