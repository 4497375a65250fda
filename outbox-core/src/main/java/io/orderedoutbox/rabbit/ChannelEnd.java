/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.TransportException;

/**
 * Why a channel is used no more, and whether something that was sent is to blame.
 */
final class ChannelEnd {

	private ChannelEnd() {
	}

	static TransportException blocked(String reason) {
		return new TransportException("RabbitMQ has blocked the connection: " + reason, null);
	}

	// A broker that is shut down or told to close a connection says 320; any other code
	// is its answer to something that was sent
	static RuntimeException closed(ShutdownSignalException cause) {
		if (!cause.isInitiatedByApplication()) {
			if (cause.getReason() instanceof AMQP.Channel.Close close) {
				return new ChannelRefusedException(
						"channel closed by the broker: %d %s".formatted(close.getReplyCode(), close.getReplyText()));
			}
			if (cause.getReason() instanceof AMQP.Connection.Close close
					&& close.getReplyCode() != AMQP.CONNECTION_FORCED) {
				return ChannelRefusedException.ofConnection(
						"connection closed by the broker: %d %s".formatted(close.getReplyCode(), close.getReplyText()));
			}
		}
		return new TransportException("RabbitMQ was lost: " + cause.getMessage(), cause);
	}

}
