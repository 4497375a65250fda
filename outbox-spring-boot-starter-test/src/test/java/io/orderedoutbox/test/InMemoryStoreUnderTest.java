/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.contract.StoreUnderTest;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * The outbox in memory, with transactions that need no database.
 */
final class InMemoryStoreUnderTest implements StoreUnderTest {

	private final InMemoryOutbox memory = new InMemoryOutbox(true);

	private final PlatformTransactionManager transactions = new DataSourceTransactionManager(new TransactionsOnly());

	@Override
	public OutboxStore outboxStore() {
		return this.memory::append;
	}

	@Override
	public PlatformTransactionManager transactionManager() {
		return this.transactions;
	}

	@Override
	public Instance instance() {
		return () -> () -> this.memory::claim;
	}

	@Override
	public void close() {
		this.memory.clear();
	}

}
