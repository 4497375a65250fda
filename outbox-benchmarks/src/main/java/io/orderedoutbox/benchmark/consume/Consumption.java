/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.consume;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.orderedoutbox.benchmark.application.Accounts;
import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.benchmark.load.Payloads;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What a listener does with the messages of a run, and whether they come in the order of
 * their keys. Each comes once: nothing fails here.
 */
class Consumption {

	private static final long PATIENCE_SECONDS = 300;

	private static final int SLOW_KEY = 0;

	private final int messages;

	private final int keys;

	private final int slowMillis;

	private final AtomicLongArray next;

	private final CountDownLatch others;

	/**
	 * Create a run in which one key is slow.
	 * @param messages how many messages there are, with numbers from zero
	 * @param keys how many keys they have: a message has the key that is left when its
	 * number is divided by that
	 * @param slowMillis how long a message of the first key takes
	 */
	Consumption(int messages, int keys, int slowMillis) {
		this.messages = messages;
		this.keys = keys;
		this.slowMillis = slowMillis;
		this.next = new AtomicLongArray(keys);
		this.others = new CountDownLatch(messages - messagesOfSlowKey());
	}

	/**
	 * Create a run.
	 * @param messages how many messages there are
	 * @param keys how many keys they have
	 */
	Consumption(int messages, int keys) {
		this(messages, keys, 0);
	}

	private int messagesOfSlowKey() {
		return (this.slowMillis > 0) ? (this.messages + this.keys - 1) / this.keys : 0;
	}

	int messages() {
		return this.messages;
	}

	void prepare(Instance instance) {
	}

	final void process(Message message) {
		long number = Payloads.number(message.getBody());
		int key = (int) (number % this.keys);
		boolean isSlow = this.slowMillis > 0 && key == SLOW_KEY;
		if (isSlow) {
			pause();
		}
		work(key);
		if (!this.next.compareAndSet(key, number / this.keys, number / this.keys + 1)) {
			throw new IllegalStateException("Message %d of key %d has overtaken another one".formatted(number, key));
		}
		if (!isSlow) {
			this.others.countDown();
		}
	}

	void work(int key) {
	}

	private void pause() {
		try {
			Thread.sleep(this.slowMillis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait until all messages were processed, but for those of the slow key.
	 * @return how many these were
	 */
	int await() throws InterruptedException {
		if (!this.others.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
			throw new IllegalStateException("%d messages were not processed".formatted(this.others.getCount()));
		}
		return this.messages - messagesOfSlowKey();
	}

	/**
	 * Each message changes the account of its key in a transaction.
	 */
	static final class Updating extends Consumption {

		private final int accounts;

		private @Nullable JdbcTemplate jdbc;

		private @Nullable TransactionTemplate transaction;

		Updating(int messages, int accounts) {
			this(messages, accounts, 0);
		}

		Updating(int messages, int accounts, int slowMillis) {
			super(messages, accounts, slowMillis);
			this.accounts = accounts;
		}

		@Override
		void prepare(Instance instance) {
			Accounts.create(instance, this.accounts);
			this.jdbc = instance.bean(JdbcTemplate.class);
			this.transaction = instance.transaction();
		}

		@Override
		void work(int key) {
			JdbcTemplate template = this.jdbc;
			TransactionTemplate transactions = this.transaction;
			if (template == null || transactions == null) {
				throw new IllegalStateException("Not prepared");
			}
			transactions.executeWithoutResult(
					(status) -> template.update("UPDATE account SET changes = changes + 1 WHERE id = ?", key));
		}

	}

}
