package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import io.orderedoutbox.servers.TcpProxy;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a claim ends, and what it leaves behind on a connection that others use.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class JdbcClaimTests {

	private static final int LOCK_TIMEOUT = 2;

	private static final Duration TOO_LONG_FOR_A_COLUMN = Duration.ofDays(400 * 365);

	private final OutboxTables tables = new OutboxTables();

	private final Worker worker = this.tables.worker(settings());

	private static ClaimSettings settings() {
		return new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(LOCK_TIMEOUT));
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void aClaimStandsUntilItsConnectionIsKilled() {
		this.tables.commit("a");
		try (Claim claim = this.worker.next()) {
			assertThat(claim.renew()).isTrue();
			this.tables.jdbc().sql("KILL " + this.worker.connectionId()).update();
			Awaitility.await().pollInSameThread().atMost(Duration.ofSeconds(5)).until(() -> !claim.renew());
		}
	}

	@Test
	void aClaimThatWasLostCompletesNothing(CapturedOutput output) {
		this.tables.commit("a", "b");
		try (Claim claim = this.worker.next()) {
			this.tables.jdbc().sql("KILL " + this.worker.connectionId()).update();
			Awaitility.await().pollInSameThread().atMost(Duration.ofSeconds(5)).until(() -> !claim.renew());
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> claim.complete(List.of(1L), List.of(FailedMessage.retried(2, "no", Duration.ZERO))));
		}
		assertThat(this.tables.depth()).isEqualTo(2);
		try (Claim claim = this.worker.next()) {
			assertThat(Worker.ids(claim)).containsExactly(1L, 2L);
		}
		assertThat(output).doesNotContain("could not be closed");
	}

	@Test
	void aDatabaseLostDuringTheCommitIsNothingThatSpringLogsAsAnError(CapturedOutput output) {
		this.tables.commit("a");
		try (TcpProxy proxy = this.tables.proxy(); Claim claim = this.tables.workerThrough(proxy, settings()).next()) {
			proxy.resetBefore("COMMIT");
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> claim.complete(List.of(1L), List.of()));
		}
		assertThat(this.tables.depth()).isEqualTo(1);
		// The embedded server says on its own that a connection was lost
		assertThat(output).doesNotContain("TransactionManager");
	}

	@Test
	void completingIsAllOrNothing() {
		this.tables.commit("a", "b");
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(
					() -> claim.complete(List.of(1L), List.of(FailedMessage.retried(2, "no", TOO_LONG_FOR_A_COLUMN))));
		}
		assertThat(this.tables.depth()).isEqualTo(2);
		assertThat(this.tables.jdbc().sql("SELECT SUM(attempts) FROM outbox_message").query(Long.class).single())
			.isZero();
	}

	@Test
	void aFailureIsRecordedByTheClockOfTheDatabase() {
		this.tables.commit("a");
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(1, "NO_ROUTE 'ü' \"x\"", Duration.ofSeconds(100))));
		}
		Map<String, Object> row = this.tables.jdbc().sql("""
				SELECT attempts, last_error, TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(6), available_at) AS waits
				FROM outbox_message""").query().singleRow();
		assertThat(((Number) row.get("attempts")).intValue()).isEqualTo(1);
		assertThat(row.get("last_error")).isEqualTo("NO_ROUTE 'ü' \"x\"");
		assertThat(((Number) row.get("waits")).intValue()).isBetween(60, 100);
	}

	@Test
	void theSessionIsRestoredWhenTheLocksAreGoneAndNotBefore() {
		this.tables.commit("a", "b");
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.worker.next()) {
				claim.complete(List.of(1L), List.of());
			}
			this.worker.next().close();
		});
		assertThat(statements.stream()
			.map(String::toLowerCase)
			.filter((statement) -> statement.matches("(?s)(commit|rollback|set session wait_timeout).*"))
			.map((statement) -> statement.replaceAll("(?s) .*", "")))
			.containsExactly("commit", "set", "rollback", "set");
	}

	@Test
	void theIsolationOfAClaimTakesNoRoundTripOfItsOwn() {
		this.tables.commit("a");
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.worker.next()) {
				claim.complete(List.of(1L), List.of());
			}
		});
		assertThat(statements).filteredOn((statement) -> statement.toLowerCase(Locale.ROOT).contains("isolation"))
			.hasSize(2)
			.allSatisfy((statement) -> assertThat(statement).containsIgnoringCase("wait_timeout"));
	}

	// A driver that has changed servers in between must not find what an earlier claim
	// left
	@Test
	void aSessionCannotBeRestoredTwice() {
		this.tables.commit("a");
		try (Claim claim = this.worker.next()) {
			claim.complete(List.of(1L), List.of());
		}
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.worker.jdbc().sql(this.worker.dialect().restoreSession()).update());
	}

	@Test
	void aConnectionWhoseSessionCannotBeRestoredIsGivenUp() {
		this.tables.commit("a");
		Session before = session();
		try (Claim claim = this.worker.next()) {
			this.worker.jdbc().sql("SET @outbox_isolation = NULL").update();
			claim.complete(List.of(1L), List.of());
		}
		Session after = session();
		assertThat(after.connectionId()).isNotEqualTo(before.connectionId());
		assertThat(after).usingRecursiveComparison().ignoringFields("connectionId").isEqualTo(before);
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void theSessionIsAsBeforeAfterACompletedClaim() {
		this.tables.commit("a");
		Session before = session();
		try (Claim claim = this.worker.next()) {
			assertThat(session().waitTimeout()).isEqualTo(LOCK_TIMEOUT);
			assertThat(session().isolation()).isEqualTo("READ-COMMITTED");
			assertThat(session().networkTimeout()).isEqualTo(LOCK_TIMEOUT * 1000);
			claim.complete(List.of(1L), List.of());
		}
		assertThat(this.tables.depth()).isZero();
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void theSessionIsAsBeforeAfterAClaimThatWasClosed() {
		this.tables.commit("a");
		Session before = session();
		this.worker.next().close();
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void theSessionIsAsBeforeAfterAClaimThatFailed() {
		this.tables.commit("a", "b");
		Session before = session();
		try (Claim claim = this.worker.next()) {
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(
					() -> claim.complete(List.of(1L), List.of(FailedMessage.retried(2, "no", TOO_LONG_FOR_A_COLUMN))));
		}
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void theSessionIsAsBeforeWhenThereWasNothingToClaim() {
		this.tables.commit("a");
		Session before = session();
		try (Claim claim = this.tables.worker(settings()).next()) {
			assertThat(Worker.ids(claim)).hasSize(1);
			assertThat(this.worker.next()).isNull();
		}
		assertThat(session()).isEqualTo(before);
	}

	@Test
	void theSessionIsAsBeforeWithoutThePoolsHelp() {
		this.tables.commit("a", "b");
		Worker alone = this.tables.workerWithoutPool(settings());
		Session before = session(alone);
		alone.next().close();
		assertThat(session(alone)).isEqualTo(before);
		try (Claim claim = alone.next()) {
			claim.complete(Worker.ids(claim), List.of());
		}
		assertThat(session(alone)).isEqualTo(before);
	}

	@Test
	void anOwnerThatFallsSilentLosesItsKeysAfterTheLockTimeout() {
		this.tables.commit("a");
		Worker other = this.tables.worker(settings());
		try (Claim claim = this.worker.next()) {
			assertThat(other.next()).isNull();
			Awaitility.await()
				.pollInSameThread()
				.atMost(Duration.ofSeconds(20))
				.pollInterval(Duration.ofMillis(100))
				.until(() -> {
					try (Claim next = other.next()) {
						return next != null;
					}
				});
			assertThat(claim.renew()).isFalse();
		}
	}

	@Test
	void aDatabaseThatVanishesIsNotWaitedForLongerThanTheLockTimeout() {
		try (TcpProxy proxy = this.tables.proxy()) {
			Worker far = this.tables.workerThrough(proxy, settings());
			this.tables.commit("a");
			far.next().close();
			proxy.freeze();
			long start = System.nanoTime();
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(far::next);
			assertThat(Duration.ofNanos(System.nanoTime() - start))
				.isLessThan(Duration.ofSeconds(2 * LOCK_TIMEOUT + 2));
		}
	}

	@Test
	void anOwnerThatRenewsKeepsItsKeys() {
		this.tables.commit("a");
		Worker other = this.tables.worker(settings());
		try (Claim claim = this.worker.next()) {
			Awaitility.await()
				.pollInSameThread()
				.during(Duration.ofSeconds(2 * LOCK_TIMEOUT))
				.atMost(Duration.ofSeconds(20))
				.pollInterval(Duration.ofMillis(200))
				.until(() -> claim.renew() && other.next() == null);
		}
	}

	// Of the one connection that the worker has
	private Session session() {
		return session(this.worker);
	}

	private static Session session(Worker worker) {
		return Session.of(worker.database());
	}

}
