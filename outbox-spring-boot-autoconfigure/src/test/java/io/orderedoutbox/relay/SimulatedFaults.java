/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.relay.Schedule.Actor;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Lets database connections be lost, by a seed. The server has ended a connection before
 * anything else happens.
 */
final class SimulatedFaults {

	private static final int RARE = 400;

	private final Schedule schedule;

	private final Random random;

	private final JdbcClient server;

	private final List<String> steps;

	private final List<Session> sessions = new ArrayList<>();

	private boolean over;

	private int count;

	SimulatedFaults(Schedule schedule, Random random, JdbcClient server, List<String> steps) {
		this.schedule = schedule;
		this.random = random;
		this.server = server;
		this.steps = steps;
	}

	/** From now on everything works. */
	void end() {
		this.over = true;
	}

	boolean isOver() {
		return this.over;
	}

	/** Say that something happens. */
	void happens(String fault) {
		this.count++;
		this.steps.add(fault);
	}

	/** Say what was done. */
	void said(String step) {
		this.steps.add(step);
	}

	int count() {
		return this.count;
	}

	Session opened(long connectionId) {
		Session session = new Session(this.schedule.current(), connectionId);
		this.sessions.add(session);
		return session;
	}

	void closed(Session session) {
		this.sessions.remove(session);
	}

	/** A statement is about to go to the server. */
	void before(Session session) {
		this.schedule.pause();
		if (isTime()) {
			lose(session);
		}
	}

	/** Whether the server has carried a statement out, and nobody hears of it. */
	boolean isLostAfter(Session session) {
		boolean lost = isTime();
		if (lost) {
			lose(session);
		}
		this.schedule.pause();
		return lost;
	}

	private boolean isTime() {
		return !this.over && this.schedule.current() != null && this.random.nextInt(RARE) == 0;
	}

	/** Lose any connection. */
	void loseAny() {
		if (!this.sessions.isEmpty()) {
			lose(this.sessions.get(this.random.nextInt(this.sessions.size())));
		}
	}

	/** Lose the connections of a thread. */
	void loseAllOf(Actor actor) {
		List.copyOf(this.sessions).stream().filter((session) -> session.owner == actor).forEach(this::lose);
	}

	private void lose(Session session) {
		if (session.lostAt != null) {
			return;
		}
		session.lostAt = this.schedule.getAsLong();
		happens("the connection of " + session.owner + " is lost");
		Database database = Servers.database();
		String processes = database.choose("SELECT COUNT(*) FROM information_schema.processlist WHERE id = ",
				"SELECT COUNT(*) FROM pg_stat_activity WHERE pid = ",
				"SELECT COUNT(*) FROM information_schema.sessions WHERE session_id = ") + session.connectionId;
		if (this.server.sql(processes).query(Long.class).single() > 0) {
			kill(database, session.connectionId);
		}
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.pollInSameThread()
			.until(() -> this.server.sql(processes).query(Long.class).single() == 0);
	}

	private void kill(Database database, long connection) {
		if (database.isPostgreSql() || database.isH2()) {
			this.server.sql(database.kill(connection)).query(Boolean.class).single();
		}
		else {
			this.server.sql(database.kill(connection)).update();
		}
	}

	/** For how long a thread has had a connection that was lost; zero if it has none. */
	Duration lostFor(@Nullable Actor actor) {
		return this.sessions.stream()
			.filter((session) -> session.owner == actor && session.lostAt != null)
			.map((session) -> Duration.ofNanos(this.schedule.getAsLong() - session.lostAt))
			.findFirst()
			.orElse(Duration.ZERO);
	}

	/**
	 * A connection that a thread uses.
	 */
	static final class Session {

		private final @Nullable Actor owner;

		private final long connectionId;

		private @Nullable Long lostAt;

		Session(@Nullable Actor owner, long connectionId) {
			this.owner = owner;
			this.connectionId = connectionId;
		}

	}

}
