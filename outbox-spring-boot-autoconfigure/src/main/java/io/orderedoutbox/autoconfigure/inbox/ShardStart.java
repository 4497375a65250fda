/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.function.Consumer;
import java.util.function.Supplier;

import io.orderedoutbox.OutboxConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Declares shards when the application starts, before anything consumes or relays, and
 * again whenever the application connects.
 * <p>
 * At the start it has a connection of its own: on that of the application all other
 * declarations would be made at once, with all attempts that these have. A refusal ends
 * the start; later, when others use the connection, it is only told of.
 */
final class ShardStart implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ShardStart.class);

	private final boolean isWanted;

	private final Supplier<ConnectionFactory> application;

	private final Consumer<RabbitTemplate> declaration;

	ShardStart(boolean isWanted, Supplier<ConnectionFactory> application, Consumer<RabbitTemplate> declaration) {
		this.isWanted = isWanted;
		this.application = application;
		this.declaration = declaration;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.isWanted) {
			declare(this.application.get());
		}
	}

	private void declare(ConnectionFactory connections) {
		CachingConnectionFactory own = own(connections);
		try {
			this.declaration.accept(new RabbitTemplate(own));
		}
		catch (AmqpException ex) {
			tell(ex);
		}
		finally {
			own.destroy();
		}
		connections.addConnectionListener((connection) -> declareAgain(connections));
	}

	private static CachingConnectionFactory own(ConnectionFactory connections) {
		if (!(connections instanceof AbstractConnectionFactory factory)) {
			throw new OutboxConfigurationException(
					"The queues of the shards cannot be declared with a connection factory of type %s."
						.formatted(connections.getClass().getName()),
					"Declare them with the bean of type ShardQueues, and set outbox.rabbit.shards.declare=false.");
		}
		return ShardConnection.of(factory, "outbox-shards");
	}

	private void declareAgain(ConnectionFactory connections) {
		try {
			this.declaration.accept(new RabbitTemplate(connections));
		}
		catch (OutboxConfigurationException | AmqpException ex) {
			tell(ex);
		}
	}

	private static void tell(RuntimeException ex) {
		logger.atError()
			.setCause(ex)
			.addKeyValue("error", ex.toString())
			.log("The queues of the shards could not be declared or checked. That is tried again when the application connects to RabbitMQ: {}",
					ex.getMessage());
	}

}
