/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.rabbit.RelayConnectionFactory;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * What the log says of the attempts to connect of the relay, and of who looks at shards:
 * nothing at {@code INFO}, unless the application has set a level for just these lines.
 */
public final class ConnectionLog {

	private static final String LOGGER = RelayConnectionFactory.class.getName();

	private ConnectionLog() {
	}

	/**
	 * Let the log be quiet about connections. To be called when there is a factory: a
	 * logger is not known before it is used.
	 */
	public static void quiet(LoggingSystem logging) {
		LoggerConfiguration known = logging.getLoggerConfiguration(LOGGER);
		if (known != null && known.getConfiguredLevel() == null && known.getEffectiveLevel() == LogLevel.INFO) {
			logging.setLogLevel(LOGGER, LogLevel.WARN);
		}
	}

}
