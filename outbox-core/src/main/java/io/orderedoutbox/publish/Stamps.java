/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.DeliverAtStamp;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.store.Delay;
import org.jspecify.annotations.Nullable;

/**
 * The stamps of one call, sorted out. Two stamps that say the same thing are refused:
 * which of them was meant is not ours to guess.
 */
record Stamps(@Nullable String partitionKey, @Nullable UUID messageId, Map<String, Object> headers, Delay delay) {

	static Stamps of(Stamp... stamps) {
		String partitionKey = null;
		UUID messageId = null;
		Stamp waiting = null;
		Delay delay = Delay.NONE;
		Map<String, Object> headers = new LinkedHashMap<>();
		for (Stamp stamp : stamps) {
			Object earlier;
			if (stamp instanceof PartitionKeyStamp key) {
				earlier = partitionKey;
				partitionKey = key.key();
			}
			else if (stamp instanceof MessageIdStamp id) {
				earlier = messageId;
				messageId = id.id();
			}
			else if (stamp instanceof HeaderStamp header) {
				earlier = headers.put(header.name(), header.value());
			}
			else if (stamp instanceof DelayStamp after) {
				earlier = waiting;
				waiting = stamp;
				delay = Delay.of(after.delay());
			}
			else if (stamp instanceof DeliverAtStamp at) {
				earlier = waiting;
				waiting = stamp;
				delay = Delay.until(at.time());
			}
			else {
				throw new OutboxPublicationException("A stamp must not be null");
			}
			if (earlier != null) {
				throw new OutboxPublicationException(
						"Two stamps contradict each other, '%s' and %s: give one".formatted(earlier, stamp));
			}
		}
		return new Stamps(partitionKey, messageId, headers, delay);
	}

	/**
	 * Return these stamps with further headers; those that are there stay as they are.
	 */
	Stamps withHeaders(Map<String, String> further) {
		Map<String, Object> all = new LinkedHashMap<>(further);
		all.putAll(this.headers);
		return new Stamps(this.partitionKey, this.messageId, all, this.delay);
	}

}
