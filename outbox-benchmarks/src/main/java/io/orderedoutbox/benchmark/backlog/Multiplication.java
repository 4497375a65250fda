/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.backlog;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Fills an outbox with copies of what is in it, each with an id of its own: nobody could
 * publish millions of messages in a reasonable time.
 */
final class Multiplication {

	private static final long PATIENCE = Duration.ofMinutes(15).toNanos();

	private static final long PER_STATEMENT = 50_000;

	private static final long LONGEST_SETTLING = Duration.ofMinutes(1).toNanos();

	private static final long POLL_INTERVAL = Duration.ofSeconds(2).toNanos();

	private static final double FALLING = 0.9;

	private static final String COPY = """
			INSERT INTO outbox_message (lane, message_id, name, partition_key, exchange, routing_key, content_type, payload,
			headers, created_at, available_at)
			SELECT lane, UUID(), name, partition_key, exchange, routing_key, content_type, payload, headers, created_at,
			available_at FROM outbox_message ORDER BY id LIMIT :rows""";

	private final JdbcClient jdbc;

	Multiplication(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Copy the oldest rows to the end until there are enough, and let the database come
	 * to rest.
	 */
	void growTo(long rows) {
		long deadline = System.nanoTime() + PATIENCE;
		long present = this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
		while (present < rows) {
			if (System.nanoTime() > deadline) {
				throw new IllegalStateException("The outbox has only %d of %d rows after %s".formatted(present, rows,
						Duration.ofNanos(PATIENCE)));
			}
			long some = Math.min(PER_STATEMENT, Math.min(present, rows - present));
			present += this.jdbc.sql(COPY).param("rows", some).update();
		}
		settle();
	}

	// The database goes on writing pages for a while after a bulk load, which would be
	// taken for what is measured next
	private void settle() {
		long deadline = System.nanoTime() + LONGEST_SETTLING;
		long before = Long.MAX_VALUE;
		for (long dirty = dirtyPages(); dirty < before * FALLING
				&& System.nanoTime() < deadline; dirty = dirtyPages()) {
			before = dirty;
			LockSupport.parkNanos(POLL_INTERVAL);
		}
	}

	private long dirtyPages() {
		return this.jdbc.sql("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")
			.query((row, index) -> row.getLong(2))
			.single();
	}

}
