/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.orderedoutbox.admin.RetainedMessages;
import io.orderedoutbox.jdbc.JdbcWorkerRegistry;
import io.orderedoutbox.jdbc.OutboxTables;
import io.orderedoutbox.jdbc.retention.JdbcArchive;
import io.orderedoutbox.jdbc.retention.JdbcCapturedMessages;
import io.orderedoutbox.jdbc.retention.JdbcDeadLetters;
import io.orderedoutbox.servers.RequiresMySql;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the removal of old messages costs the business transactions that go on meanwhile:
 * 200,000 old messages, and one writer that commits one transaction with an event after
 * the other. The longest of them is printed, beside the longest while nothing is removed.
 */
@Tag("slow")
@Tag("thorough")
@RequiresMySql
@Timeout(300)
class PurgeUnderLoadTests {

	private static final Logger logger = LoggerFactory.getLogger(PurgeUnderLoadTests.class);

	private static final int OLD = 200_000;

	private static final Duration DAY = Duration.ofDays(1);

	private static final String COPIED = "message_id, name, partition_key, exchange, routing_key, content_type, payload";

	private final OutboxTables tables = new OutboxTables();

	@AfterEach
	void close() {
		this.tables.close();
	}

	@Test
	void ofTheArchive() throws InterruptedException {
		copy("outbox_archive", "payload_size, published_at", "payload_size, '2001-01-01'");
		assertHoldsUpNobody(new JdbcArchive(this.tables.outbox()), () -> count("outbox_archive"));
	}

	@Test
	void ofDeadLetters() throws InterruptedException {
		copy("outbox_dead_letter", "dead_at", "'2001-01-01'");
		assertHoldsUpNobody(new JdbcDeadLetters(this.tables.outbox()), () -> count("outbox_dead_letter"));
	}

	@Test
	void ofCapturedMessages() throws InterruptedException {
		fill();
		execute("UPDATE outbox_message SET created_at = '2001-01-01', available_at = '2001-01-01'");
		assertHoldsUpNobody(
				new JdbcCapturedMessages(this.tables.outbox(), new JdbcWorkerRegistry(this.tables.outbox())),
				() -> count("outbox_message WHERE created_at < '2002-01-01'"));
	}

	private void assertHoldsUpNobody(RetainedMessages old, LongSupplier left) throws InterruptedException {
		CountDownLatch aSecond = new CountDownLatch(1);
		Figure nothing = during("nothing", () -> aSecond.await(1, TimeUnit.SECONDS));
		Figure purge = during("purge of " + old.table(), () -> old.purge(DAY, () -> true));
		logger.warn("{}; {}", nothing, purge);
		assertThat(left.getAsLong()).isZero();
		// A transaction of the purge that a writer had to wait for takes up to some
		// hundred
		// milliseconds, and all of them together seconds
		assertThat(purge.longest()).isLessThan(Duration.ofSeconds(2)).isLessThan(purge.change());
	}

	private Figure during(String what, Change change) throws InterruptedException {
		AtomicBoolean ended = new AtomicBoolean();
		List<Long> times = Collections.synchronizedList(new ArrayList<>());
		CountDownLatch begun = new CountDownLatch(1);
		Thread writer = new Thread(() -> {
			for (int transaction = 0; !ended.get() || transaction < 100; transaction++) {
				long before = System.nanoTime();
				this.tables.commit("key " + transaction % 100);
				times.add(System.nanoTime() - before);
				begun.countDown();
			}
		});
		writer.start();
		long duration;
		try {
			assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
			times.clear();
			long before = System.nanoTime();
			change.run();
			duration = System.nanoTime() - before;
		}
		finally {
			ended.set(true);
			writer.join();
		}
		List<Long> sorted = times.stream().sorted().toList();
		return new Figure(what, Duration.ofNanos(duration), sorted.size(),
				Duration.ofNanos(sorted.get(sorted.size() / 2)), Duration.ofNanos(sorted.get(sorted.size() - 1)));
	}

	private void fill() {
		this.tables.fill(OLD, 1000);
		execute("UPDATE outbox_message SET payload = REPEAT('x', 100)");
	}

	private void copy(String table, String columns, String values) {
		fill();
		execute("INSERT INTO %s (position, %s, created_at, attempts, %s) SELECT id, %2$s, created_at, 0, %4$s FROM outbox_message"
			.formatted(table, COPIED, columns, values));
		execute("DELETE FROM outbox_message");
	}

	private long count(String rows) {
		return this.tables.jdbc().sql("SELECT COUNT(*) FROM " + rows).query(Long.class).single();
	}

	private void execute(String sql) {
		this.tables.jdbc().sql(sql).update();
	}

	/**
	 * What was done, and the transactions that went on meanwhile.
	 */
	private record Figure(String what, Duration change, int transactions, Duration median, Duration longest) {

		@Override
		public String toString() {
			return "%s: took %d ms, %d transactions, half of them within %.1f ms, the longest %d ms".formatted(
					this.what, this.change.toMillis(), this.transactions, this.median.toNanos() / 1e6,
					this.longest.toMillis());
		}

	}

	/**
	 * What goes on beside the writer.
	 */
	@FunctionalInterface
	private interface Change {

		void run() throws InterruptedException;

	}

}
