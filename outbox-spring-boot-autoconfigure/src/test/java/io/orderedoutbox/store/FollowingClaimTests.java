package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.TransientDataAccessResourceException;
import org.springframework.util.unit.DataSize;

import static io.orderedoutbox.store.OutboxTables.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A key that fills a window is claimed again and again, without looking in between at
 * what is known.
 */
@Tag("order")
@Timeout(60)
class FollowingClaimTests {

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, 100, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private final OutboxTables tables = new OutboxTables();

	@BeforeEach
	void fill() {
		this.tables.fill(1_000, 1);
	}

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatFollowsIsClaimedWithoutAnotherLook() {
		Worker worker = this.tables.worker(SETTINGS);
		completeNext(worker, 1);
		List<String> statements = SqlLog.of(() -> completeNext(worker, 101));
		// The second look at what was locked, where snapshots are not atomic
		int looks = this.tables.statements().dialect().hasAtomicSnapshots() ? 0 : 1;
		assertThat(statements).filteredOn((statement) -> statement.startsWith("select id, partition_key"))
			.hasSize(looks);
	}

	@Test
	void nothingFollowsAMessageThatFailed() {
		Worker worker = this.tables.worker(SETTINGS);
		try (Claim claim = worker.next()) {
			claim.complete(positions(1, 49), List.of(FailedMessage.retried(50, "returned", Duration.ofMinutes(1))));
		}
		assertThat(worker.next()).isNull();
	}

	@Test
	void whatWasNotCompletedIsClaimedAgain() {
		Worker worker = this.tables.worker(SETTINGS);
		worker.next().close();
		completeNext(worker, 1);
	}

	@Test
	@RequiresMySql
	void nothingFollowsOnAnotherServer() {
		AtomicReference<String> server = new AtomicReference<>("primary");
		Worker worker = this.tables.workerOn(server::get, SETTINGS);
		completeNext(worker, 1);
		// A replica that the last commit has not reached
		this.tables.fill(1, 1);
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 50 ORDER BY id DESC LIMIT 1").update();
		server.set("replica");
		try (Claim claim = worker.next()) {
			assertThat(Worker.ids(claim)).startsWith(50L, 101L);
		}
	}

	// MariaDB looks again anyway
	@ParameterizedTest
	@RequiresMySql
	@ValueSource(booleans = { true, false })
	void nothingThatWasLookedAtBeforeIsDealtOutOnAnotherServer(boolean colleague) {
		this.tables.jdbc().sql("UPDATE outbox_message SET partition_key = CONCAT('key-', id)").update();
		AtomicReference<String> server = new AtomicReference<>("primary");
		Worker worker = this.tables.workerOn(server::get, SETTINGS);
		// With more of them more is left of a look: also of what is left nothing is dealt
		Worker other = worker.colleague();
		other.colleague();
		completeNext(worker, 1);
		this.tables.fillWith(1, "key-101");
		this.tables.jdbc().sql("UPDATE outbox_message SET id = 50 ORDER BY id DESC LIMIT 1").update();
		server.set("replica");
		// It may be his first claim
		try (Claim claim = (colleague ? other : worker).next()) {
			assertThat(Worker.ids(claim)).startsWith(50L, 101L);
		}
	}

	@Test
	void whoIsLedToOneServerAfterAnotherClaimsNothing() {
		AtomicInteger servers = new AtomicInteger();
		Worker worker = this.tables.workerOn(() -> "server-" + servers.incrementAndGet(), SETTINGS);
		completeNext(worker, 1);
		assertThatExceptionOfType(TransientDataAccessResourceException.class).isThrownBy(worker::next)
			.withMessageContaining("must all lead to the same one");
		assertThat(this.tables.depth()).isEqualTo(900);
	}

	@Test
	void whatSomebodyElseHasSentMeanwhileIsPassedOver() {
		Worker worker = this.tables.worker(SETTINGS);
		completeNext(worker, 1);
		completeNext(this.tables.worker(SETTINGS), 101);
		completeNext(worker, 201);
	}

	@Test
	void whatSomebodyElseHasInHandIsLeftAlone() {
		Worker worker = this.tables.worker(SETTINGS);
		completeNext(worker, 1);
		Worker other = this.tables.worker(SETTINGS);
		try (Claim held = other.next()) {
			assertThat(Worker.ids(held)).isEqualTo(positions(101, 200));
			assertThat(worker.next()).isNull();
		}
	}

	private static void completeNext(Worker worker, long first) {
		try (Claim claim = worker.next()) {
			List<Long> ids = Worker.ids(claim);
			assertThat(ids).isEqualTo(positions(first, first + 99));
			claim.complete(ids, List.of());
		}
	}

}
