/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.slf4j.MDC;

/**
 * Which message this thread is about, in the MDC: every line that the thread logs
 * meanwhile, from any class, carries it. One message at a time; what the application
 * itself keeps under the same names on this thread is lost.
 */
final class MessageContext {

	static final String MESSAGE_ID = "message_id";

	static final String MESSAGE_NAME = "message_name";

	static final String PARTITION_KEY = "partition_key";

	private MessageContext() {
	}

	/**
	 * From now on the thread is about this message. To be followed by {@link #leave()} in
	 * any case.
	 */
	// Once for every message that is sent: nothing to close is made, only the id's text
	static void enter(StoredMessage stored) {
		Message message = stored.message();
		MDC.put(MESSAGE_ID, message.messageId().toString());
		MDC.put(MESSAGE_NAME, message.name());
		MDC.put(PARTITION_KEY, message.partitionKey());
	}

	/**
	 * The thread is about no message any more.
	 */
	static void leave() {
		MDC.remove(MESSAGE_ID);
		MDC.remove(MESSAGE_NAME);
		MDC.remove(PARTITION_KEY);
	}

}
