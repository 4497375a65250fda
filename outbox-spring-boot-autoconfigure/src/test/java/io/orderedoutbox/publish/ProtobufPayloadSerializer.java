/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import com.google.protobuf.MessageLite;

/**
 * Writes events that are messages of Protocol Buffers, or contain one: the example of
 * docs/payloads.md.
 */
final class ProtobufPayloadSerializer implements PayloadSerializer {

	static final String CONTENT_TYPE = "application/x-protobuf";

	private final PayloadSerializer others;

	/**
	 * Create a serializer.
	 * @param others makes the payloads of all other events
	 */
	ProtobufPayloadSerializer(PayloadSerializer others) {
		this.others = others;
	}

	@Override
	public Payload serialize(Object event) {
		return (event instanceof ProtobufEvent protobuf) ? new Payload(protobuf.body().toByteArray(), CONTENT_TYPE)
				: this.others.serialize(event);
	}

	/**
	 * An event whose payload is a message of Protocol Buffers. A record that implements
	 * this has a name and a partition key like any other event.
	 */
	interface ProtobufEvent {

		MessageLite body();

	}

}
