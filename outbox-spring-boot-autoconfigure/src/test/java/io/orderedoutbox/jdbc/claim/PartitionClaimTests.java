/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.testing.RewritingDataSource;
import io.orderedoutbox.testing.SqlLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * How a claim begins and ends, and what it leaves behind.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class PartitionClaimTests {

	private static final int LOCK_TIMEOUT = 2;

	private static final Duration TOO_LONG_FOR_A_COLUMN = Duration.ofDays(400 * 365);

	private final OutboxTables tables = new OutboxTables();

	private final ClaimWorker worker = ClaimWorker.of(this.tables, settings());

	private static ClaimSettings settings() {
		return new ClaimSettings(true, 100, DataSize.ofMegabytes(1), Duration.ofSeconds(LOCK_TIMEOUT), Duration.ZERO);
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
			kill(claim);
		}
	}

	@Test
	void aClaimThatWasLostCompletesNothing(CapturedOutput output) {
		this.tables.commit("a", "b");
		try (Claim claim = this.worker.next()) {
			kill(claim);
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> claim.complete(List.of(1L), List.of(FailedMessage.retried(2, "no", Duration.ZERO))));
		}
		assertThat(this.tables.depth()).isEqualTo(2);
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
		assertThat(output).doesNotContain("could not be closed");
	}

	private void kill(Claim claim) {
		this.tables.kill(this.worker.connectionId());
		Awaitility.await().pollInSameThread().atMost(Duration.ofSeconds(5)).until(() -> !claim.renew());
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
		assertThat(this.worker.completeNext()).containsExactly(1L, 2L);
	}

	@Test
	void aDatabaseLostDuringTheCommitIsNothingThatSpringLogsAsAnError(CapturedOutput output) {
		OutboxTables.skipOnPostgreSql("the driver has prepared what it sends for a commit");
		this.tables.commit("a");
		try (TcpProxy proxy = this.tables.proxy();
				Claim claim = ClaimWorker.through(proxy, this.tables, settings()).next()) {
			proxy.resetBefore("COMMIT");
			assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> claim.complete(List.of(1L), List.of()));
		}
		assertThat(this.tables.depth()).isEqualTo(1);
		// The embedded server says on its own that a connection was lost
		assertThat(output).doesNotContain("TransactionManager");
	}

	@Test
	void theSessionIsRestoredWhenTheLocksAreGoneAndNotBefore() {
		OutboxTables.skipOnPostgreSql("settings are committed");
		this.tables.commit("a", "b");
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.worker.next()) {
				claim.complete(List.of(1L), List.of());
			}
			this.worker.rest();
			this.worker.next().close();
			this.worker.rest();
		});
		assertThat(statements.stream()
			.map((statement) -> statement.toLowerCase(Locale.ROOT))
			.filter((statement) -> statement.matches("(?s)(commit|rollback|set session wait_timeout).*"))
			.map((statement) -> statement.replaceAll("(?s) .*", "")))
			.containsExactly("commit", "set", "rollback", "set");
	}

	@Test
	void theIsolationOfAClaimTakesNoRoundTripOfItsOwn() {
		OutboxTables.skipOnPostgreSql("there is no wait_timeout");
		this.tables.commit("a");
		List<String> statements = SqlLog.of(() -> {
			this.worker.completeNext();
			this.worker.rest();
		});
		assertThat(statements).filteredOn((statement) -> statement.contains("isolation"))
			.hasSize(2)
			.allSatisfy((statement) -> assertThat(statement).contains("wait_timeout"));
	}

	@Test
	void anOwnerThatFallsSilentLosesItsPartitionsAfterTheLockTimeout() {
		OutboxTables.skipOnH2("no session has such a limit");
		this.tables.commit("a");
		ClaimWorker other = ClaimWorker.of(this.tables, settings());
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
	void anOwnerThatRenewsKeepsItsPartitions() {
		this.tables.commit("a");
		ClaimWorker other = ClaimWorker.of(this.tables, settings());
		try (Claim claim = this.worker.next()) {
			Awaitility.await()
				.pollInSameThread()
				.during(Duration.ofSeconds(2 * LOCK_TIMEOUT))
				.atMost(Duration.ofSeconds(20))
				.pollInterval(Duration.ofMillis(200))
				.until(() -> claim.renew() && other.next() == null);
		}
	}

	@Test
	void aDatabaseThatVanishesIsNotWaitedForLongerThanTheLockTimeout() {
		try (TcpProxy proxy = this.tables.proxy()) {
			ClaimWorker far = ClaimWorker.through(proxy, this.tables, settings());
			this.tables.commit("a");
			try (Claim claim = far.next()) {
				proxy.freeze();
				long start = System.nanoTime();
				assertThat(claim.renew()).isFalse();
				assertThat(Duration.ofNanos(System.nanoTime() - start))
					.isLessThan(Duration.ofSeconds(2 * LOCK_TIMEOUT + 2));
			}
		}
	}

	@Test
	void aPollIsNotWaitedForForEver() {
		try (TcpProxy proxy = this.tables.proxy()) {
			ClaimWorker far = ClaimWorker.through(proxy, this.tables, settings());
			proxy.freeze();
			long start = System.nanoTime();
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(far::next);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
		}
	}

	@Test
	void aServerThatIsReadOnlyIsRefusedBeforeAnythingIsSent() {
		this.tables.commit("a");
		String isReadOnly = this.tables.outbox().dialect().sql().readOnly();
		ClaimWorker replica = ClaimWorker
			.of(new RewritingDataSource(this.tables.pool(1), (sql) -> sql.replace(isReadOnly, "TRUE")), settings());
		assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(replica::next)
			.withMessageContaining("read-only");
		assertThat(this.worker.completeNext()).as("nothing is locked").containsExactly(1L);
	}

	@ParameterizedTest
	@ValueSource(strings = { "message", "partition" })
	void aTableThatIsMissingIsNamed(String table) {
		this.tables.commit("a");
		this.tables.jdbc().sql("DROP TABLE outbox_" + table).update();
		assertThatExceptionOfType(InvalidDataAccessResourceUsageException.class).isThrownBy(this.worker::next)
			.withMessageContaining("outbox_" + table);
	}

	@Test
	void aTableThatIsMissingAmongThoseOfAClaimIsAnErrorThatSaysSo() {
		ClaimWorker told = ClaimWorker.of(this.tables, settings());
		assertThat(told.next()).isNull();
		this.tables.commit("a");
		this.tables.jdbc().sql("DROP TABLE outbox_archive").update();
		ClaimWorker archiving = ClaimWorker.archiving(this.tables, settings());
		assertThatExceptionOfType(InvalidDataAccessResourceUsageException.class).isThrownBy(archiving::next)
			.withMessageContaining("outbox.archive.enabled=false")
			.withMessageContaining("outbox_archive");
		assertThat(told.completeNext()).as("who does not archive goes on").containsExactly(1L);
	}

	@Test
	void aClaimThatIsClosedTwiceIsClosedOnce() {
		this.tables.commit("a");
		Claim claim = this.worker.next();
		claim.close();
		try (Claim next = this.worker.next()) {
			claim.close();
			assertThat(next.renew()).isTrue();
			next.complete(List.of(1L), List.of());
		}
		assertThat(this.tables.depth()).isZero();
	}

	@Test
	void aWorkerThatHasFailedToLookDoesSoAgain() {
		this.tables.commit("a");
		try (TcpProxy proxy = this.tables.proxy()) {
			ClaimWorker far = ClaimWorker.through(proxy, this.tables, settings());
			far.next().close();
			proxy.stop();
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(far::next);
			proxy.start();
			Claims claims = new JdbcRelayStore(new OutboxDatabase(this.tables.through(proxy), "outbox_"), settings())
				.claims();
			try (Claim claim = claims.next()) {
				assertThat(ClaimWorker.ids(claim)).containsExactly(1L);
			}
		}
	}

	// Without auto-commit a plain read at SERIALIZABLE locks
	@Test
	@SuppressWarnings("try")
	void aPoolWithoutAutoCommitAtSerializableDoesNotMakeWorkersWaitForOneAnother() {
		this.tables.commit("a", "b");
		try (Claim first = this.worker.next()) {
			assertThat(ClaimWorker.ids(first)).hasSize(2);
			try (var pool = this.tables.pool(1)) {
				pool.setAutoCommit(false);
				pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
				ClaimWorker strict = ClaimWorker.of(pool, settings());
				assertThat(strict.next()).isNull();
				first.close();
				Awaitility.await()
					.pollInSameThread()
					.atMost(Duration.ofSeconds(5))
					.untilAsserted(() -> assertThat(strict.completeNext()).containsExactly(1L, 2L));
			}
		}
	}

}
