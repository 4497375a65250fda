package io.orderedoutbox.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.OutboxTables.Worker;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many who write several keys at a time, in any order, and many who take them away.
 */
@Tag("order")
@Timeout(120)
class LockContentionTests {

	private static final int WRITERS = 8;

	private static final int WORKERS = 4;

	private static final int TRANSACTIONS = 60;

	private static final int MESSAGES = 5;

	private final OutboxTables tables = new OutboxTables();

	private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS + WORKERS);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.tables.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 20, 1000 })
	void nobodyWaitsInACircleAndNothingIsTakenTwice(int batchSize) throws Exception {
		long seed = ThreadLocalRandom.current().nextLong(1_000_000);
		System.out.println("lock contention: seed " + seed);
		CountDownLatch written = new CountDownLatch(WRITERS);
		List<Future<?>> all = new ArrayList<>();
		for (int writer = 0; writer < WRITERS; writer++) {
			Random random = new Random(seed + writer);
			all.add(this.threads.submit(() -> write(random, written)));
		}
		Queue<Long> completed = new ConcurrentLinkedQueue<>();
		all.addAll(startWorkers(settings(true, batchSize), written, completed));
		await(all);
		assertThat(completed).hasSize(WRITERS * TRANSACTIONS * MESSAGES).doesNotHaveDuplicates();
		if (Servers.database().isMySql()) {
			assertThat(lastDeadlock()).isEmpty();
		}
	}

	@Test
	void nothingIsTakenTwiceByStretches() throws Exception {
		this.tables.fill(20_000, 20_000);
		Queue<Long> completed = new ConcurrentLinkedQueue<>();
		await(startWorkers(settings(false, 1_500), new CountDownLatch(0), completed));
		assertThat(completed).hasSize(20_000).doesNotHaveDuplicates();
	}

	@Test
	void whoDeletesAStretchDoesNotWaitForTheRowBehindIt() {
		this.tables.fill(300, 300);
		ClaimSettings settings = settings(false, 150);
		try (Claim first = this.tables.worker(settings).next(); Claim second = this.tables.worker(settings).next()) {
			List<Long> ids = Worker.ids(first);
			assertThat(Stretch.of(ids)).hasSize(1);
			assertThat(Worker.ids(second)).startsWith(ids.get(149) + 1);
			first.complete(ids, List.of());
			assertThat(this.tables.depth()).isEqualTo(150);
		}
	}

	@Test
	void whoLocksAStretchPassesOverWhatIsHeldAndLeavesTheRowBehindItAlone() {
		this.tables.fill(1_300, 1_300);
		ClaimSettings settings = settings(false, 600);
		TransactionStatus holder = this.tables.begin(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.tables.jdbc().sql("SELECT id FROM outbox_message WHERE id = 5 FOR UPDATE").query(Long.class).single();
		try (Claim first = this.tables.worker(settings).next()) {
			List<Long> ids = Worker.ids(first);
			assertThat(ids).hasSize(599).startsWith(1L, 2L, 3L, 4L, 6L).endsWith(600L);
			try (Claim second = this.tables.worker(settings).next()) {
				assertThat(Worker.ids(second)).hasSize(600).startsWith(601L);
			}
		}
		this.tables.commit(holder);
	}

	@Test
	void aSingleMessageTakesItsPositionAfterTheLockOfItsStripe() throws Exception {
		TransactionStatus first = this.tables.begin(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.tables.append("a");
		Future<?> second = this.threads.submit(() -> this.tables.commit("a"));
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.until(() -> this.tables.jdbc()
				.sql("SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
				.query(Integer.class)
				.single() > 0);
		this.tables.commit("b");
		this.tables.commit(first);
		second.get(10, TimeUnit.SECONDS);
		assertThat(this.tables.column(String.class, "partition_key", "outbox_message")).containsExactly("a", "b", "a");
	}

	private static ClaimSettings settings(boolean ordered, int batchSize) {
		return new ClaimSettings(ordered, batchSize, DataSize.ofMegabytes(16), Duration.ofSeconds(20));
	}

	private Void write(Random random, CountDownLatch written) {
		for (int count = 0; count < TRANSACTIONS; count++) {
			this.tables.commit(IntStream.range(0, MESSAGES)
				.mapToObj((message) -> "key-" + random.nextInt(40))
				.toArray(String[]::new));
		}
		written.countDown();
		return null;
	}

	// Several workers, until all is written and nothing is left
	private List<Future<?>> startWorkers(ClaimSettings settings, CountDownLatch written, Queue<Long> completed) {
		List<Future<?>> all = new ArrayList<>();
		for (int number = 0; number < WORKERS; number++) {
			Worker worker = this.tables.worker(settings);
			all.add(this.threads.submit(() -> relay(worker, written, completed)));
		}
		return all;
	}

	// On MariaDB, whoever is about to pass over a lock counts as one who waits for it.
	// Somebody who does wait may look for circles in that moment
	private void acceptOfSkipping(CannotAcquireLockException failure) {
		String deadlock = lastDeadlock();
		if (Servers.database().isMySql() || !deadlock.contains("SKIP LOCKED")) {
			throw new AssertionError("A wait in a circle: " + deadlock, failure);
		}
	}

	/**
	 * What the database says about the last deadlock, if it was one of these tables.
	 */
	private String lastDeadlock() {
		String status = this.tables.jdbc()
			.sql("SHOW ENGINE INNODB STATUS")
			.query((row, index) -> row.getString("Status"))
			.single();
		int begin = status.indexOf("LATEST DETECTED DEADLOCK");
		String deadlock = (begin >= 0) ? status.substring(begin, status.indexOf("\nTRANSACTIONS\n", begin)) : "";
		return deadlock.contains(this.tables.name()) ? deadlock : "";
	}

	private static void await(List<Future<?>> all) throws Exception {
		for (Future<?> one : all) {
			one.get(60, TimeUnit.SECONDS);
		}
	}

	private Void relay(Worker worker, CountDownLatch written, Queue<Long> completed) throws InterruptedException {
		boolean last = false;
		while (true) {
			try (Claim claim = worker.next()) {
				if (claim != null) {
					claim.complete(Worker.ids(claim), List.of());
					completed.addAll(Worker.ids(claim));
					continue;
				}
			}
			catch (CannotAcquireLockException ex) {
				acceptOfSkipping(ex);
				continue;
			}
			if (last) {
				return null;
			}
			last = written.await(5, TimeUnit.MILLISECONDS) && this.tables.depth() == 0;
		}
	}

}
