/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.cost;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.mysql.cj.Query;
import com.mysql.cj.protocol.Resultset;
import com.mysql.cj.protocol.ServerSession;
import io.orderedoutbox.servers.SentStatements;
import io.orderedoutbox.servers.Servers;
import org.jspecify.annotations.Nullable;

/**
 * Counts what the driver sends to the database, on all connections that it is switched on
 * for, and how long the statements of a claim take.
 */
public final class RoundTrips extends SentStatements {

	private static final LongAdder COUNT = new LongAdder();

	private static final ThreadLocal<AtomicLong> OF_THREAD = ThreadLocal.withInitial(AtomicLong::new);

	private static final LongAdder NANOS_TO_CLAIM = new LongAdder();

	// The poll, the lock, and what reads lanes
	private static final Pattern OF_CLAIM = Pattern
		.compile("-1 AS lane\\b|\\bSKIP LOCKED\\b|\\bORDER BY m\\.id LIMIT\\b");

	// To know what a statement says takes time itself
	private static volatile boolean timing;

	private long sentAt;

	/**
	 * Whether they are counted: of the drivers, MySQL's can be asked.
	 */
	public static boolean areCounted() {
		return !Servers.database().isPostgreSql();
	}

	/**
	 * How many there have been in this JVM.
	 */
	public static long count() {
		return COUNT.sum();
	}

	/**
	 * How many of them the current thread has made: an application has others of its own,
	 * such as those of a heartbeat.
	 */
	public static long countOfThisThread() {
		return OF_THREAD.get().get();
	}

	/**
	 * How many milliseconds the statements have taken meanwhile that poll, lock
	 * partitions and read their messages.
	 */
	public static double millisToClaim(Runnable work) {
		long before = NANOS_TO_CLAIM.sum();
		timing = true;
		try {
			work.run();
		}
		finally {
			timing = false;
		}
		return (NANOS_TO_CLAIM.sum() - before) / 1e6;
	}

	@Override
	protected void sent(Supplier<String> sql) {
		COUNT.increment();
		OF_THREAD.get().incrementAndGet();
		this.sentAt = System.nanoTime();
	}

	@Override
	public <T extends Resultset> @Nullable T postProcess(Supplier<String> sql, Query query, T result,
			ServerSession session) {
		long now = System.nanoTime();
		if (timing && OF_CLAIM.matcher(sql.get()).find()) {
			NANOS_TO_CLAIM.add(now - this.sentAt);
		}
		return null;
	}

}
