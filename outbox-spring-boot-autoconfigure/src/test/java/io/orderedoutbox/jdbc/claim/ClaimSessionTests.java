/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.Session;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a worker keeps of its session from one claim to the next, and when it gives the
 * connection back. A claim takes one partition here, and each key is in another one.
 */
class ClaimSessionTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 2, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20), Duration.ZERO);

	private final OutboxTables tables = new OutboxTables();

	private final HikariDataSource pool = this.tables.pool(2);

	// Stands still: a pause of this machine is no reason to give a session back
	private final AtomicLong clock = new AtomicLong();

	private final JdbcRelayStore store = store(this.pool);

	private final Claims claims = this.store.claims();

	private JdbcRelayStore store(DataSource dataSource) {
		return ClaimWorker.store(new OutboxDatabase(dataSource, "outbox_"), SETTINGS, this.clock::get);
	}

	private Claims claims(DataSource dataSource) {
		return store(dataSource).claims();
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void theNextClaimNeedsNoFurtherSettings() {
		OutboxTables.skipOnH2("several settings are one statement");
		this.tables.commit("a", "b", "c");
		long first = complete();
		List<String> statements = SqlLog.of(() -> assertThat(complete()).isEqualTo(first));
		assertThat(statements).noneMatch((statement) -> statement.startsWith("set "));
		assertThat(statements).filteredOn((statement) -> statement.matches("commit|delete(?s:.*)")).hasSize(2);
	}

	@Test
	void theNextClaimSeesWhatIsCommittedMeanwhile() {
		this.tables.commit("a");
		complete();
		this.tables.commit("b");
		try (Claim claim = this.claims.next()) {
			assertThat(ClaimWorker.keys(claim)).containsExactly("b");
		}
	}

	@Test
	void whatTheThreadDoesBetweenClaimsIsDoneOnAnotherConnection() {
		this.tables.commit("a", "b");
		Session before = session();
		long kept = complete();
		assertThat(TransactionSynchronizationManager.hasResource(this.store.database().dataSource())).isFalse();
		Session other = session();
		assertThat(other.connectionId()).isNotEqualTo(kept);
		assertThat(other).usingRecursiveComparison().ignoringFields("connectionId").isEqualTo(before);
	}

	@Test
	void nothingIsLockedBetweenClaims() {
		this.tables.commit("a", "b");
		long kept = complete();
		assertThat(transactionsOf(kept)).isZero();
	}

	@Test
	void aWorkerThatRestsGivesTheConnectionBackAsItWas() {
		this.tables.commit("a", "b");
		Session before = session();
		long kept = complete();
		assertThat(connectionsInUse()).isOne();
		this.claims.rest();
		assertThat(connectionsInUse()).isZero();
		assertThat(kept).isEqualTo(before.connectionId());
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void aWorkerThatEndsGivesTheConnectionBack() {
		this.tables.commit("a");
		complete();
		this.claims.end();
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void aWorkerThatFindsNothingGivesTheConnectionBack() {
		this.tables.commit("a");
		Session before = session();
		complete();
		assertThat(this.claims.next()).isNull();
		assertThat(connectionsInUse()).isZero();
		assertThat(session()).isEqualTo(before);
	}

	// Not every pool ends what its connections have begun
	@Test
	void aWorkerThatFindsNothingLeavesNoTransactionWhereNothingIsCommittedByItself() {
		DataSource connection = this.tables.connectionWithoutAutoCommit();
		JdbcTemplate idle = new JdbcTemplate(connection);
		long id = Objects.requireNonNull(idle.queryForObject("SELECT CONNECTION_ID()", Long.class));
		Claims alone = claims(connection);
		this.tables.commit("a");
		complete(alone);
		assertThat(alone.next()).isNull();
		assertThat(transactionsOf(id)).isZero();
	}

	// A pool that has one connection for each worker, and no other, is enough
	@Test
	void whatAnotherInstanceHasSentBeforeThePartitionIsLockedIsNotClaimed() {
		AtomicReference<Runnable> beforeLock = new AtomicReference<>(() -> {
		});
		// The poll before it has no parameters
		Claims kept = claims(
				OutboxTables.interrupted(this.tables.pool(1), "prepareStatement", () -> beforeLock.getAndSet(() -> {
				}).run()));
		this.tables.commit("a");
		complete(kept);
		this.tables.commit("a");
		beforeLock.set(this::complete);
		assertThat(kept.next()).isNull();
		assertThat(this.tables.depth()).isZero();
		this.tables.commit("a");
		complete(kept);
		assertThat(this.tables.depth()).isZero();
		kept.end();
	}

	@Test
	void aClaimThatIsGivenUpGivesTheConnectionBack() {
		this.tables.commit("a", "b");
		complete();
		Objects.requireNonNull(this.claims.next()).close();
		this.claims.rest();
		assertThat(connectionsInUse()).isZero();
		complete();
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aClaimThatCannotBeCompletedIsRolledBack() {
		this.tables.commit("a", "b");
		complete();
		try (Claim claim = this.claims.next()) {
			FailedMessage failed = FailedMessage.retried(ClaimWorker.ids(claim).get(0), "no",
					Duration.ofDays(400 * 365));
			assertThatExceptionOfType(RuntimeException.class)
				.isThrownBy(() -> claim.complete(List.of(), List.of(failed)));
		}
		this.claims.rest();
		assertThat(connectionsInUse()).isZero();
		assertThat(this.tables.column(Integer.class, "attempts", "outbox_message")).containsExactly(0);
		complete();
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aSessionIsKeptForAMomentOnly() {
		OutboxTables.skipOnH2("several settings are one statement");
		this.tables.commit("a", "b", "c");
		complete();
		pass(Duration.ofMillis(100));
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.claims.next()) {
				pass(Duration.ofMillis(100));
				claim.complete(ClaimWorker.ids(claim), List.of());
			}
		});
		assertThat(statements)
			.filteredOn((statement) -> statement.matches("(?s).*(wait|in_transaction_session)_timeout.*"))
			.hasSize(3);
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void aSessionThatWasLostIsMissedByOneClaimOnly() {
		this.tables.commit("a", "b");
		this.tables.kill(complete());
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(this.claims::next)
			.isInstanceOfAny(DataAccessException.class, TransactionException.class);
		assertThat(connectionsInUse()).isZero();
		complete();
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aClaimThatIsClosedTwiceDoesNothingToTheNext() {
		this.tables.commit("a", "b");
		Claim first = Objects.requireNonNull(this.claims.next());
		first.complete(ClaimWorker.ids(first), List.of());
		first.close();
		try (Claim second = this.claims.next()) {
			first.close();
			assertThat(second.renew()).isTrue();
			second.complete(ClaimWorker.ids(second), List.of());
		}
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void whatCannotBeRolledBackIsNotCommittedLater() {
		DataSource refusing = OutboxTables.interrupted(this.pool, "rollback", () -> {
			throw new TransientDataAccessResourceException("on purpose");
		});
		JdbcRelayStore its = store(refusing);
		Claims alone = its.claims();
		this.tables.commit("a", "b");
		Claim claim = Objects.requireNonNull(alone.next());
		its.database().jdbc().update("DELETE FROM outbox_message");
		claim.close();
		alone.rest();
		assertThat(connectionsInUse()).isZero();
		Awaitility.await().pollInSameThread().until(() -> {
			try (Claim next = this.claims.next()) {
				return next != null;
			}
		});
		assertThat(this.tables.depth()).isEqualTo(2);
	}

	// And its settings with it
	@Test
	void aConnectionThatTheDriverHasReplacedIsNotUsed() throws SQLException {
		AtomicReference<Connection> physical = new AtomicReference<>();
		DataSource reconnecting = new DelegatingDataSource(this.pool) {

			@Override
			public Connection getConnection() throws SQLException {
				physical.set(super.getConnection());
				return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							try {
								return method.invoke(physical.get(), arguments);
							}
							catch (InvocationTargetException ex) {
								throw ex.getCause();
							}
						});
			}

		};
		Claims alone = claims(reconnecting);
		this.tables.commit("a", "b");
		complete(alone);
		Connection lost = physical.get();
		try (Connection other = this.pool.getConnection()) {
			other.setAutoCommit(false);
			physical.set(other);
			assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(alone::next)
				.withMessageContaining("autoReconnect");
		}
		lost.close();
		complete(alone);
		assertThat(this.tables.depth()).isZero();
		alone.end();
	}

	private void pass(Duration time) {
		this.clock.addAndGet(time.toNanos());
	}

	// The connection that it was done on
	private long complete() {
		try (Claim claim = this.claims.next()) {
			Session session = session();
			assertThat(session.isolation()).isEqualTo("READ-COMMITTED");
			claim.complete(ClaimWorker.ids(claim), List.of());
			assertThat(TransactionSynchronizationManager.hasResource(this.store.database().dataSource())).isFalse();
			return session.connectionId();
		}
	}

	private static void complete(Claims claims) {
		try (Claim claim = claims.next()) {
			claim.complete(ClaimWorker.ids(claim), List.of());
		}
	}

	private long transactionsOf(long connectionId) {
		return this.tables.jdbc()
			.sql(Servers.database()
				.choose("SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = ?",
						"SELECT COUNT(*) FROM pg_stat_activity WHERE pid = ? AND xact_start IS NOT NULL",
						"SELECT COUNT(*) FROM information_schema.sessions WHERE session_id = ? AND contains_uncommitted"))
			.param(connectionId)
			.query(Long.class)
			.single();
	}

	private int connectionsInUse() {
		return this.pool.getHikariPoolMXBean().getActiveConnections();
	}

	private Session session() {
		return Session.of(this.store.database());
	}

}
