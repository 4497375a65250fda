/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What the inbox stores of a message that a consumer has processed.
 *
 * @param consumer the name of the consumer
 * @param messageId the id of the message
 * @param processingId a random number that tells this processing of the message from any
 * other, before or at the same time
 */
record InboxRecord(String consumer, String messageId, long processingId) {

	InboxRecord(String consumer, String messageId) {
		this(consumer, messageId, ThreadLocalRandom.current().nextLong());
	}

}
