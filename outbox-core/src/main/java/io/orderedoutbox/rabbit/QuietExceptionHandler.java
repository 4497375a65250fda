/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the exceptions of a client as ever, but does not log that a connection was
 * lost: the relay sees that itself. What a listener throws is still logged.
 */
final class QuietExceptionHandler extends DefaultExceptionHandler {

	private static final Logger logger = LoggerFactory.getLogger(QuietExceptionHandler.class);

	@Override
	public void handleUnexpectedConnectionDriverException(Connection connection, Throwable exception) {
		logger.debug("The connection to RabbitMQ was lost", exception);
	}

}
