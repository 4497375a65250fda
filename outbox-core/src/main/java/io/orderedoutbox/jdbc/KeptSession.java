/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.orderedoutbox.jdbc.connection.LimitedSession;
import org.jspecify.annotations.Nullable;

/**
 * The session of a worker's claims, kept between those that follow each other at once.
 * <p>
 * To begin a session and to end it takes four statements, as many as a claim of one or
 * two messages needs itself. A session that is kept has no transaction and no locks, and
 * nothing else goes through it: see {@link LimitedSession#leave}. It is kept for a moment
 * only, so that the pool gets its connection back, to hand it to others or to replace it.
 * <p>
 * Used by one thread.
 */
public final class KeptSession {

	static final Duration LONGEST = Duration.ofMillis(100);

	private final OutboxDatabase database;

	private final Duration lockTimeout;

	private final LongSupplier clock;

	private @Nullable LimitedSession session;

	private long since;

	/**
	 * Create what keeps a session.
	 * @param database the database of the outbox
	 * @param lockTimeout how long the server waits for the next statement of a session
	 * @param clock tells the time, as {@link System#nanoTime} does
	 */
	public KeptSession(OutboxDatabase database, Duration lockTimeout, LongSupplier clock) {
		this.database = database;
		this.lockTimeout = lockTimeout;
		this.clock = clock;
	}

	/**
	 * Go on in it, if there is one.
	 */
	public void resume() {
		if (isOld()) {
			end();
		}
		if (this.session != null) {
			this.session.enter();
		}
	}

	/**
	 * The session that is kept, or a new one, which the thread then is in.
	 */
	public LimitedSession current() {
		LimitedSession current = this.session;
		if (current == null) {
			current = LimitedSession.open(this.database.dataSource(), this.database.dialect(), this.lockTimeout);
			this.session = current;
			this.since = this.clock.getAsLong();
		}
		return current;
	}

	/**
	 * Keep it for the next claim, unless it is time to give it back.
	 */
	public void pause() {
		if (isOld()) {
			end();
		}
		if (this.session != null) {
			this.session.leave();
		}
	}

	/**
	 * Give it back.
	 */
	public void end() {
		LimitedSession last = this.session;
		this.session = null;
		if (last != null) {
			last.close();
		}
	}

	private boolean isOld() {
		return this.clock.getAsLong() - this.since >= LONGEST.toNanos();
	}

}
