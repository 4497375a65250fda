/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

/**
 * The classes of the outbox's own senders, of which several may be there. Names, because
 * not all of their libraries need to be there.
 */
final class SenderTypes {

	static final String RABBIT = "io.orderedoutbox.rabbit.RabbitMessageSender";

	static final String KAFKA = "io.orderedoutbox.kafka.KafkaMessageSender";

	static final String LISTENERS = "io.orderedoutbox.listen.ListenerMessageSender";

	static final String ROUTING = "io.orderedoutbox.routing.RoutingMessageSender";

	private SenderTypes() {
	}

}
