/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.jdbc.connection.LimitedSession;
import io.orderedoutbox.jdbc.connection.SessionIdentity;
import io.orderedoutbox.jdbc.dialect.Dialect;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link KeptSession} and {@link LimitedSession}: what a connection is set to
 * while it is kept, and that it is given back as it was.
 */
class KeptSessionTests {

	private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(20);

	private final OutboxTables tables = new OutboxTables();

	private final HikariDataSource pool = this.tables.pool(2);

	private final OutboxDatabase database = new OutboxDatabase(this.pool, "outbox_");

	// Stands still: a pause of this machine is no reason to give a session back
	private final AtomicLong clock = new AtomicLong();

	private final KeptSession kept = new KeptSession(this.database, LOCK_TIMEOUT, this.clock::get);

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aSessionHasItsOwnSettingsAndGivesThemBack() {
		OutboxTables.skipOnH2("it has other settings: H2Tests");
		Session before = session();
		this.kept.current();
		Session limited = session();
		assertThat(limited).isEqualTo(new Session(before.connectionId(), 20, 20_000, "READ-COMMITTED", false));
		assertThat(before.waitTimeout()).isGreaterThan(20);
		this.kept.end();
		assertThat(session()).isEqualTo(before);
		assertThat(connectionsInUse()).isZero();
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "NAMES latin1", "character_set_results = latin1", "collation_connection = latin1_german2_ci",
					"sql_mode = ''", "sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT'",
					"sql_select_limit = 1", "sql_safe_updates = 1", "sql_big_selects = 0", "completion_type = 'CHAIN'",
					"SESSION TRANSACTION READ ONLY", "SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE" })
	void whateverTheApplicationHasSetASessionIsTheSameAndGivesItBack(String setting) {
		OutboxTables.skipOnPostgreSql("it has other settings: PostgreSqlTests");
		Map<String, String> usual = inSession(this.tables.withoutPool());
		DataSource alone = this.tables.withoutPool();
		Map<String, String> untouched = settings(alone);
		new JdbcTemplate(alone).execute("SET " + setting);
		Map<String, String> before = settings(alone);
		assertThat(before).isNotEqualTo(untouched);
		assertThat(inSession(alone)).isEqualTo(usual);
		assertThat(settings(alone)).isEqualTo(before);
	}

	// The driver would ask for them
	@Test
	@RequiresMySql
	void theSettingsCauseNoWarnings() {
		this.kept.current();
		assertThat(this.database.jdbc().queryForObject("SELECT @@warning_count", Integer.class)).isZero();
		this.kept.end();
	}

	private Map<String, String> inSession(DataSource dataSource) {
		try (LimitedSession session = LimitedSession.open(dataSource, this.database.dialect(), LOCK_TIMEOUT)) {
			return new TransactionTemplate(session.transactions()).execute((status) -> settings(dataSource));
		}
	}

	// But those that change with each statement, and in which character set the driver
	// writes
	private Map<String, String> settings(DataSource dataSource) {
		String table = (this.database.dialect() == Dialect.MYSQL) ? "performance_schema.session_variables"
				: "information_schema.session_variables";
		Map<String, String> settings = new TreeMap<>();
		new JdbcTemplate(dataSource).query("SELECT variable_name, variable_value FROM " + table + " LIMIT 10000",
				(row) -> {
					settings.put(row.getString(1).toLowerCase(Locale.ROOT), row.getString(2));
				});
		assertThat(settings).hasSizeGreaterThan(400);
		settings.keySet()
			.removeIf((name) -> name.matches("timestamp|.*gtid.*|rand_seed.*|pseudo_thread_id|statement_id"
					+ "|warning_count|error_count|last_insert_id|identity|insert_id|in_transaction|character_set_client"));
		return settings;
	}

	@Test
	void theIsolationTakesNoRoundTripOfItsOwn() {
		OutboxTables.skipOnPostgreSql("there is no wait_timeout");
		this.database.dialect();
		List<String> statements = SqlLog.of(() -> {
			LimitedSession session = this.kept.current();
			new TransactionTemplate(session.transactions()).executeWithoutResult((status) -> {
			});
			this.kept.end();
		});
		assertThat(statements).filteredOn((statement) -> statement.contains("isolation"))
			.hasSize(2)
			.allMatch((statement) -> statement.contains("wait_timeout"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aSessionThatNoPoolLooksAfterIsAsBefore(boolean autoCommit) {
		DataSource alone = autoCommit ? this.tables.withoutPool() : this.tables.connectionWithoutAutoCommit();
		OutboxDatabase other = new OutboxDatabase(alone, "outbox_");
		Session before = Session.of(other);
		assertThat(before.autoCommit()).isEqualTo(autoCommit);
		try (LimitedSession session = LimitedSession.open(alone, other.dialect(), LOCK_TIMEOUT)) {
			assertThat(Session.of(other).isolation()).isEqualTo("READ-COMMITTED");
			assertThatExceptionOfType(BadSqlGrammarException.class)
				.isThrownBy(() -> new TransactionTemplate(session.transactions())
					.executeWithoutResult((status) -> other.jdbc().update("nonsense")));
		}
		assertThat(Session.of(other)).isEqualTo(before);
	}

	// A driver that has changed servers in between must not find what an earlier session
	// has left
	@Test
	void settingsAreGivenBackOnce() {
		DataSource alone = this.tables.withoutPool();
		LimitedSession.open(alone, this.database.dialect(), LOCK_TIMEOUT).close();
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> new JdbcTemplate(alone).update(this.database.dialect().session().restore()));
	}

	@Test
	void aConnectionWhoseSettingsCannotBeGivenBackIsClosed() {
		OutboxTables.skipOnH2("it has other settings: H2Tests");
		Session before = session();
		this.kept.current();
		this.database.jdbc()
			.execute(Servers.database()
				.choose("SET @outbox_transaction_isolation = NULL, @outbox_tx_isolation = NULL",
						"SET outbox.kept_default_transaction_isolation = 'none'; COMMIT"));
		this.kept.end();
		Session after = session();
		assertThat(after.connectionId()).isNotEqualTo(before.connectionId());
		assertThat(after).usingRecursiveComparison().ignoringFields("connectionId").isEqualTo(before);
	}

	@Test
	void aPausedSessionIsResumedOnTheSameConnection() {
		this.kept.current();
		long id = session().connectionId();
		this.kept.pause();
		assertThat(TransactionSynchronizationManager.hasResource(this.pool)).isFalse();
		assertThat(session().connectionId()).isNotEqualTo(id);
		this.kept.resume();
		assertThat(session().connectionId()).isEqualTo(id);
		this.kept.end();
	}

	@Test
	void anOldSessionIsGivenBackWhenItIsPaused() {
		this.kept.current();
		pass(KeptSession.LONGEST);
		this.kept.pause();
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void anOldSessionIsGivenBackInsteadOfBeingResumed() {
		this.kept.current();
		this.kept.pause();
		pass(KeptSession.LONGEST);
		this.kept.resume();
		assertThat(connectionsInUse()).isZero();
		assertThat(TransactionSynchronizationManager.hasResource(this.pool)).isFalse();
	}

	@Test
	void aYoungSessionIsKept() {
		this.kept.current();
		pass(KeptSession.LONGEST.minusNanos(1));
		this.kept.pause();
		this.kept.resume();
		assertThat(connectionsInUse()).isOne();
		this.kept.end();
	}

	@Test
	void aSessionThatHasEndedCanBeEndedAgain() {
		this.kept.current();
		this.kept.end();
		this.kept.end();
		this.kept.resume();
		this.kept.pause();
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void aSessionRunsOneTransactionAfterTheOther() {
		LimitedSession session = this.kept.current();
		TransactionTemplate transaction = new TransactionTemplate(session.transactions());
		for (int round = 0; round < 2; round++) {
			transaction.executeWithoutResult((status) -> {
				this.database.jdbc().update("DELETE FROM outbox_stripe WHERE id = 7");
				status.setRollbackOnly();
			});
		}
		this.kept.end();
		assertThat(this.tables.column(Integer.class, "id", "outbox_stripe")).hasSize(64);
	}

	// And its settings with it
	@Test
	void aConnectionThatTheDriverHasReplacedIsRefused() {
		LimitedSession session = this.kept.current();
		session.require(new SessionIdentity(7, "one"));
		session.require(new SessionIdentity(7, "one"));
		for (SessionIdentity other : new SessionIdentity[] { new SessionIdentity(8, "one"),
				new SessionIdentity(7, "other") }) {
			assertThatExceptionOfType(TransientDataAccessResourceException.class)
				.isThrownBy(() -> session.require(other))
				.withMessageContaining("autoReconnect");
		}
		this.kept.end();
	}

	@Test
	void aThreadIsInOneSessionAtATime() {
		try (LimitedSession session = open()) {
			assertThatIllegalStateException().isThrownBy(this::open);
			session.leave();
			open().close();
			assertThat(connectionsInUse()).isOne();
		}
		assertThat(connectionsInUse()).isZero();
	}

	private LimitedSession open() {
		return LimitedSession.open(this.pool, this.database.dialect(), LOCK_TIMEOUT);
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	private int connectionsInUse() {
		return this.pool.getHikariPoolMXBean().getActiveConnections();
	}

	private Session session() {
		return Session.of(this.database);
	}

}
