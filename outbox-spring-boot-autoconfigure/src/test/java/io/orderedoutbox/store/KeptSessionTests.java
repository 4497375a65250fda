package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * What a worker keeps from one claim for the next, and when it gives it back.
 */
class KeptSessionTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 2, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	private final HikariDataSource pool = this.tables.pool(2);

	private final OutboxDatabase database = new OutboxDatabase(this.pool, "outbox_");

	private final SlowClock clock = new SlowClock();

	private final Claims claims = new JdbcRelayStore(this.database, SETTINGS, false, this.clock).claims();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void theNextClaimNeedsNoFurtherSettings() {
		this.tables.commit("a", "b", "c", "d", "e", "f");
		long first = complete();
		List<String> statements = SqlLog.of(() -> assertThat(complete()).isEqualTo(first));
		assertThat(statements).noneMatch((statement) -> statement.startsWith("set "));
		assertThat(statements).filteredOn((statement) -> statement.matches("commit|delete(?s:.*)")).hasSize(2);
	}

	@Test
	void whatIsCommittedMeanwhileIsSeen() {
		this.tables.commit("a");
		complete();
		this.tables.commit("b");
		try (Claim claim = this.claims.next()) {
			assertThat(OutboxTables.Worker.keys(claim)).containsExactly("b");
		}
	}

	@Test
	void whatTheThreadDoesInBetweenIsDoneElsewhere() {
		this.tables.commit("a", "b", "c");
		Session before = session();
		long kept = complete();
		assertThat(TransactionSynchronizationManager.hasResource(this.pool)).isFalse();
		Session other = session();
		assertThat(other.connectionId()).isNotEqualTo(kept);
		assertThat(other).usingRecursiveComparison().ignoringFields("connectionId").isEqualTo(before);
	}

	@Test
	void nothingIsLockedInBetween() {
		this.tables.commit("a", "b", "c");
		long kept = complete();
		assertThat(transactionsOf(kept)).isZero();
	}

	@Test
	void whoRestsGivesItBackAsItWas() {
		this.tables.commit("a", "b", "c");
		Session before = session();
		long kept = complete();
		assertThat(connectionsInUse()).isOne();
		this.claims.rest();
		assertThat(connectionsInUse()).isZero();
		assertThat(kept).isEqualTo(before.connectionId());
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void whoEndsGivesItBack() {
		this.tables.commit("a");
		complete();
		this.claims.end();
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void whoFindsNothingGivesItBack() {
		this.tables.commit("a");
		Session before = session();
		complete();
		assertThat(this.claims.next()).isNull();
		assertThat(connectionsInUse()).isZero();
		assertThat(session()).isEqualTo(before);
	}

	// Not every pool ends what its connections have begun
	@Test
	void whoFindsNothingLeavesNoTransactionWhereNothingIsCommittedByItself() {
		DataSource connection = this.tables.connectionWithoutAutoCommit();
		Claims alone = new JdbcRelayStore(new OutboxDatabase(connection, "outbox_"), SETTINGS).claims();
		this.tables.commit("a");
		complete(alone);
		assertThat(alone.next()).isNull();
		JdbcTemplate idle = new JdbcTemplate(connection);
		long id = Objects.requireNonNull(idle.queryForObject("SELECT CONNECTION_ID()", Long.class));
		assertThat(transactionsOf(id)).isZero();
	}

	@Test
	void whatIsLookedAtInItMayBeGoneBeforeItIsLocked() {
		AtomicReference<Runnable> beforeLock = new AtomicReference<>(() -> {
		});
		// Who claims is asked between the look and the lock, without parameters
		DataSource interrupted = OutboxTables.interrupted(this.pool, "createStatement",
				() -> beforeLock.getAndSet(() -> {
				}).run());
		Claims kept = new JdbcRelayStore(new OutboxDatabase(interrupted, "outbox_"), SETTINGS).claims();
		this.tables.commit("a", "b", "c", "d", "e");
		complete(kept);
		beforeLock.set(() -> assertThat(complete()).isNotZero());
		try (Claim claim = kept.next()) {
			assertThat(OutboxTables.Worker.keys(claim)).containsExactly("e");
		}
		kept.end();
	}

	@Test
	void whoGivesAClaimUpGivesItBack() {
		this.tables.commit("a", "b", "c");
		complete();
		Objects.requireNonNull(this.claims.next()).close();
		assertThat(connectionsInUse()).isZero();
		complete();
	}

	@Test
	void whoCannotCompleteGivesItBack() {
		this.tables.commit("a", "b", "c");
		complete();
		try (Claim claim = this.claims.next()) {
			List<FailedMessage> failed = List.of(FailedMessage.retried(3, "no", Duration.ofDays(400 * 365)));
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> claim.complete(List.of(), failed));
		}
		assertThat(connectionsInUse()).isZero();
		assertThat(this.tables.depth()).isOne();
	}

	@Test
	void itIsKeptForAMomentOnly() {
		this.tables.commit("a", "b", "c", "d", "e");
		complete();
		this.clock.pass(KeptSession.LONGEST.toNanos());
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.claims.next()) {
				this.clock.pass(KeptSession.LONGEST.toNanos());
				claim.complete(OutboxTables.Worker.ids(claim), List.of());
			}
		});
		assertThat(statements).filteredOn((statement) -> statement.contains("wait_timeout")).hasSize(3);
		assertThat(connectionsInUse()).isZero();
	}

	@Test
	void oneThatWasLostIsMissedByOneClaimOnly() {
		this.tables.commit("a", "b", "c");
		this.tables.jdbc().sql("KILL " + complete()).update();
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(this.claims::next);
		assertThat(connectionsInUse()).isZero();
		complete();
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void whoClosesAClaimTwiceDoesNothingToTheNext() {
		this.tables.commit("a", "b", "c");
		Claim first = Objects.requireNonNull(this.claims.next());
		first.complete(OutboxTables.Worker.ids(first), List.of());
		first.close();
		try (Claim second = this.claims.next()) {
			first.close();
			assertThat(second.renew()).isTrue();
			second.complete(OutboxTables.Worker.ids(second), List.of());
		}
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void whatCannotBeRolledBackIsNotCommittedLater() {
		DataSource refusing = OutboxTables.interrupted(this.pool, "rollback", () -> {
			throw new TransientDataAccessResourceException("on purpose");
		});
		Claims alone = new JdbcRelayStore(new OutboxDatabase(refusing, "outbox_"), SETTINGS).claims();
		this.tables.commit("a", "b");
		Claim claim = Objects.requireNonNull(alone.next());
		new JdbcTemplate(refusing).update("DELETE FROM outbox_message");
		assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(claim::close);
		assertThat(connectionsInUse()).isZero();
		Awaitility.await().pollInSameThread().until(() -> {
			try (Claim next = this.claims.next()) {
				return next != null;
			}
		});
		assertThat(this.tables.depth()).isEqualTo(2);
	}

	@Test
	void whoReadsAheadMayNeedTheConnection() {
		this.tables.fill(100, 1);
		try (Claim claim = this.claims.next()) {
			List<Long> ids = OutboxTables.Worker.ids(claim);
			assertThat(claim.preparation(ids)).isNotNull();
			claim.complete(ids, List.of());
		}
		assertThat(connectionsInUse()).isZero();
	}

	// And its settings with it
	@Test
	void aConnectionThatTheDriverHasReplacedIsNotGoneOnWith() {
		AtomicReference<String> server = new AtomicReference<>("one");
		Claims led = this.tables.workerOn(server::get, SETTINGS).claims();
		this.tables.commit("a", "b", "c");
		complete(led);
		server.set("other");
		assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(led::next)
			.withMessageContaining("autoReconnect");
		complete(led);
		assertThat(this.tables.depth()).isZero();
		led.end();
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
		return LimitedSession.open(this.pool, this.database.statements().dialect(), SETTINGS.lockTimeout());
	}

	// The connection that it was done on
	private long complete() {
		try (Claim claim = this.claims.next()) {
			Session session = session();
			assertThat(session.isolation()).isEqualTo("READ-COMMITTED");
			claim.complete(OutboxTables.Worker.ids(claim), List.of());
			assertThat(TransactionSynchronizationManager.hasResource(this.pool)).isFalse();
			return session.connectionId();
		}
	}

	private static void complete(Claims claims) {
		try (Claim claim = claims.next()) {
			claim.complete(OutboxTables.Worker.ids(claim), List.of());
		}
	}

	private long transactionsOf(long connectionId) {
		return this.tables.jdbc()
			.sql("SELECT COUNT(*) FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = ?")
			.param(connectionId)
			.query(Long.class)
			.single();
	}

	private int connectionsInUse() {
		return this.pool.getHikariPoolMXBean().getActiveConnections();
	}

	private Session session() {
		return Session.of(this.database);
	}

}
