/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.orderedoutbox.send.OutboxScope;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * The connection factory of the relay, which is silent about what the relay says itself:
 * that the broker is lost, why, and that it is back.
 * <p>
 * Spring's factory writes a line for each attempt to connect, with the logger of its
 * class: because this is a class of its own, these lines can be switched on and off apart
 * from those of the application's connections. The other lines about a lost connection or
 * a closed channel are for {@code DEBUG}.
 */
public final class RelayConnectionFactory extends CachingConnectionFactory {

	/**
	 * Create a connection factory.
	 * @param client the client for the relay alone, with the settings of the
	 * application's; an exception handler of the application's own stays
	 */
	public RelayConnectionFactory(ConnectionFactory client) {
		super(client);
		if (client.getExceptionHandler().getClass() == DefaultExceptionHandler.class) {
			client.setExceptionHandler(new QuietExceptionHandler());
		}
		setCacheMode(CacheMode.CHANNEL);
		setPublisherConfirmType(ConfirmType.SIMPLE);
		setPublisherReturns(false);
		String name = OutboxScope.label("outbox-relay");
		setConnectionNameStrategy((factory) -> name);
		// The relay knows why a channel was closed and says so once, with the message
		setCloseExceptionLogger((logger, message, cause) -> logger.debug(message, cause));
	}

}
