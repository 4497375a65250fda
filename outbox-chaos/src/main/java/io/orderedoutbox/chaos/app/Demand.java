/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.app;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/**
 * How much is to be written at the moment: a row of the database says it.
 */
final class Demand implements InitializingBean, DisposableBean, Runnable {

	private static final int INTERVAL = 50;

	private final CountDownLatch end = new CountDownLatch(1);

	private final JdbcClient jdbc;

	private final CommitLog commits;

	private volatile long pause;

	Demand(JdbcClient jdbc, CommitLog commits) {
		this.jdbc = jdbc;
		this.commits = commits;
	}

	@Override
	public void afterPropertiesSet() {
		Thread thread = new Thread(this, "demand");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void run() {
		try {
			while (!this.end.await(INTERVAL, TimeUnit.MILLISECONDS)) {
				this.commits.flush();
				look();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void look() {
		try {
			this.pause = this.jdbc.sql("SELECT pause_millis FROM chaos_demand").query(Long.class).single();
		}
		catch (DataAccessException | TransactionException ex) {
			// The writers will notice that the database is away
		}
	}

	/**
	 * How long each thread is to wait between two transactions; negative: until asked for
	 * more.
	 */
	Duration pause() {
		return Duration.ofMillis(this.pause);
	}

	@Override
	public void destroy() {
		this.end.countDown();
	}

}
