/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import io.orderedoutbox.sample.order.OrderService;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Makes load, one run at a time.
 */
@Service
public class LoadGenerator implements DisposableBean {

	private final OrderService orders;

	private final TransactionTemplate transactions;

	private @Nullable LoadRun run;

	LoadGenerator(OrderService orders, PlatformTransactionManager transactionManager) {
		this.orders = orders;
		this.transactions = new TransactionTemplate(transactionManager);
	}

	/**
	 * Start to make load.
	 * @param request how much
	 * @return the status at the start
	 * @throws LoadRunningException if the run before this one has not ended
	 */
	public synchronized LoadStatus start(LoadRequest request) {
		if (status().running()) {
			throw new LoadRunningException();
		}
		LoadRun next = new LoadRun(request, this.orders, this.transactions);
		this.run = next;
		next.start();
		return next.status();
	}

	/**
	 * Return how far the last run is.
	 * @return the status
	 */
	public synchronized LoadStatus status() {
		return (this.run != null) ? this.run.status() : LoadStatus.none();
	}

	@Override
	public synchronized void destroy() {
		if (this.run != null) {
			this.run.stop();
		}
	}

}
