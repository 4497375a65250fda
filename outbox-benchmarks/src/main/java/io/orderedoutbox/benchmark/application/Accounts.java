/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.application;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Servers;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The data of an application: what its transactions change besides publishing events.
 */
public final class Accounts {

	private final Instance instance;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private Accounts(Instance instance) {
		this.instance = instance;
		this.jdbc = instance.bean(JdbcTemplate.class);
		this.transaction = instance.transaction();
	}

	/**
	 * Create so many accounts, numbered from zero.
	 */
	public static Accounts create(Instance instance, int count) {
		Accounts accounts = new Accounts(instance);
		accounts.jdbc.execute("CREATE TABLE account (id INT PRIMARY KEY, changes BIGINT NOT NULL)");
		accounts.jdbc.execute(Servers.database()
			.choose("CREATE TABLE note (id BIGINT AUTO_INCREMENT PRIMARY KEY, account INT NOT NULL, text LONGBLOB NOT NULL)",
					"CREATE TABLE note (id BIGSERIAL PRIMARY KEY, account INT NOT NULL, text BYTEA NOT NULL)"));
		List<Object[]> ids = IntStream.range(0, count).mapToObj((id) -> new Object[] { id }).toList();
		accounts.transaction.executeWithoutResult(
				(status) -> accounts.jdbc.batchUpdate("INSERT INTO account (id, changes) VALUES (?, 0)", ids));
		return accounts;
	}

	/**
	 * One transaction: change an account, and publish events.
	 */
	public void change(int account, AccountChanged... events) {
		this.transaction.executeWithoutResult((status) -> {
			change(account);
			Arrays.stream(events).forEach(this.instance::publishEvent);
		});
	}

	/**
	 * One transaction: change an account, and write a row about it as any application
	 * might.
	 */
	public void changeAndNote(int account, byte[] text) {
		this.transaction.executeWithoutResult((status) -> {
			change(account);
			this.jdbc.update("INSERT INTO note (account, text) VALUES (?, ?)", account, text);
		});
	}

	private void change(int account) {
		this.jdbc.update("UPDATE account SET changes = changes + 1 WHERE id = ?", account);
	}

	public long changes() {
		return this.instance.jdbc().sql("SELECT SUM(changes) FROM account").query(Long.class).single();
	}

}
