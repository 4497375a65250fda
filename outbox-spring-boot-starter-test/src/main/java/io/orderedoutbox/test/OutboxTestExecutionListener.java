/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.transaction.TransactionalTestExecutionListener;

/**
 * Lets each test method begin with an empty outbox in memory, and with nothing recorded:
 * test classes share application contexts.
 */
final class OutboxTestExecutionListener implements TestExecutionListener, Ordered {

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext()) {
			ApplicationContext context = testContext.getApplicationContext();
			context.getBeanProvider(MessageRecorder.class).ifAvailable(MessageRecorder::clear);
			context.getBeanProvider(InMemoryOutbox.class).ifAvailable(InMemoryOutbox::clear);
			context.getBeanProvider(InMemoryInbox.class).ifAvailable(InMemoryInbox::clear);
		}
	}

	/**
	 * Before the transaction of the test, and before its {@code @BeforeEach} methods,
	 * which may publish.
	 */
	@Override
	public int getOrder() {
		return TransactionalTestExecutionListener.ORDER - 100;
	}

}
