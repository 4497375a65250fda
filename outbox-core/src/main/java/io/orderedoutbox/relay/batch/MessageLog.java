/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What the relay says about single messages. Which message it is stands in the MDC, what
 * became of it in key-values: no name is in both, since formats that write both refuse to
 * write a name twice. A message of which nothing is said costs nothing.
 */
final class MessageLog {

	private static final Logger logger = LoggerFactory.getLogger(MessageLog.class);

	private MessageLog() {
	}

	/**
	 * The broker has taken a message.
	 */
	static void published(StoredMessage stored) {
		if (logger.isDebugEnabled()) {
			log(stored, logger.atDebug().setMessage("{} published").addArgument(stored));
		}
	}

	/**
	 * A message has failed.
	 */
	static void failed(StoredMessage stored, FailedMessage failure) {
		debug("{} failed, {}: {}", stored, failure);
	}

	/**
	 * A message was not even tried.
	 */
	static void postponed(StoredMessage stored, FailedMessage postponement) {
		debug("{} waits, {}: {}", stored, postponement);
	}

	private static void debug(String text, StoredMessage stored, FailedMessage failure) {
		if (logger.isDebugEnabled()) {
			log(stored,
					logger.atDebug()
						.setMessage(text)
						.addArgument(stored)
						.addArgument(failure.fate())
						.addArgument(failure.error())
						.addKeyValue("fate", failure.fate())
						.addKeyValue("error", failure.error()));
		}
	}

	/**
	 * Many messages have failed in the same way.
	 * @param text what to say: how many they are, one of them, and its error
	 */
	static void warn(String text, int count, StoredMessage example, FailedMessage failure) {
		log(example,
				logger.atWarn()
					.setMessage(text)
					.addArgument(count)
					.addArgument(example)
					.addArgument(failure.error())
					.addKeyValue("messages", count)
					.addKeyValue("fate", failure.fate())
					.addKeyValue("error", failure.error()));
	}

	private static void log(StoredMessage stored, LoggingEventBuilder event) {
		Message message = stored.message();
		MessageContext.enter(stored);
		try {
			event.addKeyValue("exchange", message.destination().exchange())
				.addKeyValue("routing_key", message.destination().routingKey())
				.addKeyValue("failed_attempts", stored.attempts())
				.log();
		}
		finally {
			MessageContext.leave();
		}
	}

}
