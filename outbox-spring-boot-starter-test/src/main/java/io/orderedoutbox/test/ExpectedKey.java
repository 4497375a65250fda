/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.publish.key.PartitionKeyExtractor;

import org.springframework.core.NestedExceptionUtils;

/**
 * A value that a test expects to be the key of a message, as an event has it.
 *
 * @param value the value
 */
record ExpectedKey(@PartitionKey Object value) {

	private static final PartitionKeyExtractor EXTRACTOR = new PartitionKeyExtractor();

	/**
	 * Return what a publisher makes of the value, empty for no key.
	 * @throws IllegalArgumentException if the publisher would refuse the value
	 */
	static String text(Object value) {
		try {
			PartitionKeyStamp stamp = EXTRACTOR.extract(new ExpectedKey(value));
			return (stamp != null) ? stamp.key() : "";
		}
		catch (OutboxPublicationException ex) {
			throw new IllegalArgumentException(
					"No message can have this key: " + NestedExceptionUtils.getMostSpecificCause(ex).getMessage(), ex);
		}
	}

}
