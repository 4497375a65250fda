/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.util.Map;

import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.orderedoutbox.store.StoredMessage;

/**
 * Context of a message that is relayed. The trace comes from the headers that were stored
 * with the message.
 */
public final class RelayObservationContext extends ReceiverContext<Map<String, Object>> {

	private final StoredMessage message;

	private String outcome = "unknown";

	RelayObservationContext(StoredMessage message) {
		super((headers, name) -> (headers.get(name) instanceof String text) ? text : null, Kind.CLIENT);
		this.message = message;
		setCarrier(message.message().headers());
	}

	/**
	 * Return the message.
	 * @return the message
	 */
	public StoredMessage getMessage() {
		return this.message;
	}

	/**
	 * Return what became of the message.
	 * @return {@code published}, {@code failed}, or {@code unknown} as long as the broker
	 * has not answered
	 */
	public String getOutcome() {
		return this.outcome;
	}

	void setOutcome(String outcome) {
		this.outcome = outcome;
	}

}
