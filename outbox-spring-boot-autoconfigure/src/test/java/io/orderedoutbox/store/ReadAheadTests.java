package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.store.OutboxTables.Worker;
import io.orderedoutbox.testing.SqlLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

import static io.orderedoutbox.store.OutboxTables.positions;
import static io.orderedoutbox.testing.OwnThread.OWN_THREAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What follows in a key that fills a claim is read while the claim is being completed,
 * and is worth nothing if somebody has had the key in between.
 */
@Tag("order")
@Timeout(60)
class ReadAheadTests {

	private static final int BATCH = 100;

	private static final ClaimSettings SETTINGS = new ClaimSettings(true, BATCH, DataSize.ofMegabytes(1),
			Duration.ofSeconds(20));

	private static final long TWO_SECONDS = Duration.ofSeconds(2).toNanos();

	private final OutboxTables tables = new OutboxTables();

	private final Thread worker = Thread.currentThread();

	private volatile Runnable whenReading = () -> {
	};

	private final OutboxDatabase database = new OutboxDatabase(
			OutboxTables.interrupted(this.tables.writer(), "getAutoCommit", () -> {
				if (Thread.currentThread() != this.worker) {
					this.whenReading.run();
				}
			}), "outbox_");

	private final SlowClock clock = new SlowClock();

	private final Claims claims = new JdbcRelayStore(this.database, SETTINGS, false, this.clock).claims();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void whatFollowsIsReadBeforeItIsClaimed() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1);
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.claims.next()) {
				assertThat(Worker.ids(claim)).isEqualTo(positions(101, 200));
				assertThat(claim.runs().get(0).messages()).extracting((message) -> message.message().partitionKey())
					.containsOnly("filler-0");
			}
		});
		assertThat(statements).filteredOn(ReadAheadTests::reads).singleElement().asString().contains("skip locked");
	}

	// What is left of the first look, and then further on, while what is before that is
	// still being deleted
	@Test
	@RequiresMySql
	void theWorkerNeitherLooksNorLoadsAsLongAsMuchFollows() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1);
		List<String> statements = SqlLog.of(() -> {
			for (long first = 101; first < 500; first += BATCH) {
				complete(this.claims, first);
			}
		});
		assertThat(statements).noneMatch(ReadAheadTests::looks);
		assertThat(statements).filteredOn(ReadAheadTests::reads)
			.hasSize(4)
			.allSatisfy((statement) -> assertThat(statement).contains("skip locked"));
	}

	@Test
	void whatNobodyHasReadAheadIsLookedForAgain() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1, ReadAheadTests::doNothing);
		complete(this.claims, 101, ReadAheadTests::doNothing);
	}

	@Test
	void whatIsGoneInBetweenIsNotSent() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1);
		this.tables.jdbc().sql("DELETE FROM outbox_message WHERE id = 150").update();
		try (Claim claim = this.claims.next()) {
			assertThat(Worker.ids(claim)).hasSize(BATCH - 1).doesNotContain(150L);
		}
	}

	@Test
	void whatHasFailedInBetweenIsReadAgain() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1);
		failAtSomebodyElse(150);
		try (Claim claim = this.claims.next()) {
			assertThat(Worker.ids(claim)).isEqualTo(positions(101, 200));
			assertThat(claim.runs().get(0).messages()).filteredOn((message) -> message.attempts() > 0)
				.extracting(StoredMessage::id)
				.containsExactly(150L);
			claim.complete(Worker.ids(claim), List.of());
		}
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	@Test
	void whatHadFailedBeforeIsReadAgain() {
		this.tables.fill(1_000, 1);
		failAtSomebodyElse(150);
		complete(this.claims, 1);
		complete(this.claims, 101);
		assertThat(this.tables.column(Long.class, "id", "outbox_failed")).isEmpty();
	}

	// Behind the head, as it happens where keys are pipelined
	private void failAtSomebodyElse(long position) {
		try (Claim claim = this.tables.worker(SETTINGS).next()) {
			claim.complete(List.of(), List.of(FailedMessage.retried(position, "returned", Duration.ZERO)));
		}
	}

	@Test
	void whatIsMoreThanABatchCanHoldIsLeft() {
		this.tables.fill(200, 1);
		this.tables.jdbc().sql("UPDATE outbox_message SET payload = REPEAT('x', 20000) WHERE id > 100").update();
		complete(this.claims, 1);
		Object found = ReflectionTestUtils.getField(reading(), "found");
		ClaimedRows read = ReflectionTestUtils.invokeMethod(found, "rows");
		assertThat((Map<?, ?>) ReflectionTestUtils.getField(read, "messages")).hasSize(52);
		try (Claim claim = this.claims.next()) {
			assertThat(Worker.ids(claim)).isEqualTo(positions(101, 152));
		}
	}

	@Test
	void nothingIsReadAheadOfSeveralKeys() {
		this.tables.fill(1_000, 2);
		assertNothingIsReadAhead(this.claims, BATCH);
	}

	@Test
	void nothingIsReadAheadWithoutOrder() {
		this.tables.fill(1_000, 1);
		ClaimSettings unordered = new ClaimSettings(false, 1, DataSize.ofMegabytes(1), Duration.ofSeconds(20));
		assertNothingIsReadAhead(new JdbcRelayStore(this.database, unordered, false, this.clock).claims(), 1);
	}

	@Test
	void nothingIsReadAheadWhereAWindowShowsAll() {
		this.tables.fill(BATCH, 1);
		assertNothingIsReadAhead(this.claims, BATCH);
	}

	@Test
	void nothingIsReadAheadOfWhatWasNotPublished() {
		this.tables.fill(1_000, 1);
		assertNothingIsReadAhead(this.claims, BATCH - 1);
		try (Claim claim = this.claims.next()) {
			assertThat(Worker.ids(claim)).startsWith(100L, 101L);
		}
	}

	private static void assertNothingIsReadAhead(Claims claims, int published) {
		try (Claim claim = claims.next()) {
			List<Long> ids = Worker.ids(claim).subList(0, published);
			assertThat(claim.preparation(ids)).isNull();
			claim.complete(ids, List.of());
		}
	}

	@Test
	void whatWasReadForAClaimThatWasNotCompletedIsForgotten() {
		this.tables.fill(1_000, 1);
		try (Claim claim = this.claims.next()) {
			CompletableFuture.runAsync(claim.preparation(Worker.ids(claim)), OWN_THREAD).join();
		}
		complete(this.claims, 1);
	}

	@Test
	void whoCannotReadAheadLooksAgain() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1, (preparation) -> {
			this.whenReading = () -> {
				throw new DataAccessResourceFailureException("the database is away");
			};
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(CompletableFuture.runAsync(preparation, OWN_THREAD)::join);
		});
		complete(this.claims, 101, ReadAheadTests::doNothing);
	}

	@Test
	void whoIsLateReadsInVain() {
		this.tables.fill(1_000, 1);
		CountDownLatch end = new CountDownLatch(1);
		this.whenReading = () -> await(end);
		AtomicReference<CompletableFuture<Void>> late = new AtomicReference<>();
		complete(this.claims, 1, (preparation) -> late.set(CompletableFuture.runAsync(preparation, OWN_THREAD)));
		List<String> statements = SqlLog.of(() -> {
			try (Claim claim = this.claims.next()) {
				end.countDown();
				late.get().join();
				claim.complete(Worker.ids(claim), List.of());
			}
			complete(this.claims, 201, ReadAheadTests::doNothing);
		});
		assertThat(statements).filteredOn(ReadAheadTests::loads).hasSize(2);
		assertThat(statements).anyMatch(ReadAheadTests::looks);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void whatCouldHaveBeenUsedForASecondIsNotUsed() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1);
		this.clock.pass(TWO_SECONDS);
		List<String> statements = SqlLog.of(() -> complete(this.claims, 101));
		assertThat(statements).filteredOn(ReadAheadTests::reads).hasSize(2);
	}

	@Test
	void itMayTakeLongToCompleteWhatIsBefore() {
		this.tables.fill(1_000, 1);
		complete(this.claims, 1, (preparation) -> {
			CompletableFuture.runAsync(preparation, OWN_THREAD).join();
			this.clock.pass(TWO_SECONDS);
		});
		assertWhatWasReadIsUsed();
	}

	@Test
	void itMayTakeLongToRead() {
		this.tables.fill(1_000, 1);
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		this.whenReading = () -> {
			begun.countDown();
			await(end);
		};
		AtomicReference<CompletableFuture<Void>> reading = new AtomicReference<>();
		complete(this.claims, 1, (preparation) -> reading.set(CompletableFuture.runAsync(preparation, OWN_THREAD)));
		await(begun);
		this.clock.pass(TWO_SECONDS);
		end.countDown();
		reading.get().join();
		assertWhatWasReadIsUsed();
	}

	private void assertWhatWasReadIsUsed() {
		List<String> statements = SqlLog.of(() -> complete(this.claims, 101));
		assertThat(statements).filteredOn(ReadAheadTests::reads).hasSize(1);
	}

	@Test
	void whatWasCompletedInAnotherWayIsFollowedByWhatIsLeft() {
		this.tables.fill(1_000, 1);
		try (Claim claim = this.claims.next()) {
			CompletableFuture.runAsync(claim.preparation(positions(1, 100)), OWN_THREAD).join();
			claim.complete(positions(1, 49), List.of(FailedMessage.retried(50, "returned", Duration.ofMinutes(1))));
		}
		assertThat(this.claims.next()).isNull();
	}

	@Test
	void nothingIsUsedThatWasReadOnAnotherServer() {
		this.tables.fill(1_000, 1);
		Claims led = this.tables
			.workerOn(() -> (Thread.currentThread() == this.worker) ? "primary" : "replica", SETTINGS)
			.claims();
		assertThat(claimAfterReading(led)).filteredOn(ReadAheadTests::reads).hasSize(2);
	}

	@Test
	void nothingIsUsedThatWasReadBeforeClaimsMovedToAnotherServer() {
		this.tables.fill(1_000, 1);
		AtomicReference<String> server = new AtomicReference<>("primary");
		Claims led = this.tables.workerOn(server::get, SETTINGS).claims();
		assertThat(claimAfterReading(led, () -> server.set("replica"))).filteredOn(ReadAheadTests::reads).hasSize(2);
	}

	private static List<String> claimAfterReading(Claims claims) {
		return claimAfterReading(claims, () -> {
		});
	}

	// On a single connection
	private static List<String> claimAfterReading(Claims claims, Runnable between) {
		AtomicReference<CompletableFuture<Void>> reading = new AtomicReference<>();
		complete(claims, 1, (preparation) -> reading.set(CompletableFuture.runAsync(preparation, OWN_THREAD)));
		reading.get().join();
		between.run();
		return SqlLog.of(() -> {
			try (Claim claim = claims.next()) {
				assertThat(Worker.ids(claim)).isEqualTo(positions(101, 200));
			}
		});
	}

	private Object reading() {
		Object ahead = ReflectionTestUtils.getField(this.claims, "ahead");
		Assert.state(ahead != null, "nothing can be read ahead");
		return ReflectionTestUtils.getField(ahead, "reading");
	}

	// What follows has been read when it returns
	private static void complete(Claims claims, long first) {
		complete(claims, first, (preparation) -> CompletableFuture.runAsync(preparation, OWN_THREAD).join());
	}

	private static void complete(Claims claims, long first, Consumer<Runnable> prepare) {
		try (Claim claim = claims.next()) {
			List<Long> ids = Worker.ids(claim);
			assertThat(ids).isEqualTo(positions(first, first + BATCH - 1));
			Runnable preparation = claim.preparation(ids);
			// Nothing follows at the very end
			if (preparation != null) {
				prepare.accept(preparation);
			}
			claim.complete(ids, List.of());
		}
	}

	private static void doNothing(Runnable preparation) {
	}

	private static boolean looks(String statement) {
		return statement.startsWith("select id, partition_key");
	}

	private static boolean loads(String statement) {
		return reads(statement) && !statement.contains("skip locked");
	}

	private static boolean reads(String statement) {
		return statement.startsWith("select m.id, m.message_id");
	}

}
