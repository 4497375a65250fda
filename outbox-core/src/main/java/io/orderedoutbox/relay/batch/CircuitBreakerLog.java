/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.batch.CircuitBreakers.Encoding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What is said of exchanges, destinations and encodings that are paused, and of those
 * that are free again.
 */
final class CircuitBreakerLog {

	private static final Logger logger = LoggerFactory.getLogger(CircuitBreakers.class);

	private CircuitBreakerLog() {
	}

	/**
	 * An exchange is paused for the first time since it was free.
	 */
	static void paused(String exchange, Duration pause, String reason) {
		paused(logger.atWarn().addKeyValue("exchange", exchange), "Exchange '" + exchange + "'", pause, reason);
	}

	/**
	 * A destination is paused for the first time since it was free.
	 */
	static void paused(Destination destination, Duration pause, String reason) {
		LoggingEventBuilder line = logger.atWarn()
			.addKeyValue("exchange", destination.exchange())
			.addKeyValue("routing_key", destination.routingKey());
		paused(line, text(destination), pause, reason);
	}

	/**
	 * What undoes an encoding of payloads cannot do so for now.
	 */
	static void paused(Encoding encoding, Duration pause, String reason) {
		paused(logger.atWarn().addKeyValue("encoding", encoding.names()), text(encoding), pause, reason);
	}

	private static void paused(LoggingEventBuilder line, String where, Duration pause, String reason) {
		line.addKeyValue("state", "paused")
			.addKeyValue("pause", pause)
			.addKeyValue("error", reason)
			.log("{} is paused for {}: {}. Its messages wait, without an attempt", where, pause, reason);
	}

	/**
	 * The broker answers again for messages to an exchange that was paused.
	 */
	static void free(String exchange) {
		free(logger.atInfo().addKeyValue("exchange", exchange), "Exchange '" + exchange + "'");
	}

	/**
	 * The broker answers again for messages to a destination that was paused.
	 */
	static void free(Destination destination) {
		LoggingEventBuilder line = logger.atInfo()
			.addKeyValue("exchange", destination.exchange())
			.addKeyValue("routing_key", destination.routingKey());
		free(line, text(destination));
	}

	/**
	 * Payloads of an encoding that was paused can be had again.
	 */
	static void free(Encoding encoding) {
		free(logger.atInfo().addKeyValue("encoding", encoding.names()), text(encoding));
	}

	private static void free(LoggingEventBuilder line, String where) {
		line.addKeyValue("state", "works").log("{} is there again", where);
	}

	private static String text(Encoding encoding) {
		String text = "Payload encoding '%s'".formatted(encoding.names());
		return encoding.messageName().isEmpty() ? text : text + " of '%s'".formatted(encoding.messageName());
	}

	private static String text(Destination destination) {
		return "Exchange '%s' with routing key '%s'".formatted(destination.exchange(), destination.routingKey());
	}

}
