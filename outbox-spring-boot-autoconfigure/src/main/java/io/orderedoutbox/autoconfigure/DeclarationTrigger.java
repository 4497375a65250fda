package io.orderedoutbox.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Declares the application's exchanges and queues when the relay connects. They are
 * otherwise declared when the application itself connects, which one that only publishes
 * through the outbox never does.
 */
final class DeclarationTrigger implements ConnectionListener {

	private static final Logger logger = LoggerFactory.getLogger(DeclarationTrigger.class);

	private final ObjectProvider<RabbitAdmin> admins;

	DeclarationTrigger(ObjectProvider<RabbitAdmin> admins) {
		this.admins = admins;
	}

	@Override
	public void onCreate(@Nullable Connection connection) {
		this.admins.orderedStream().filter(RabbitAdmin::isAutoStartup).forEach((admin) -> {
			try {
				admin.initialize();
			}
			catch (AmqpException ex) {
				logger.atWarn()
					.setCause(ex)
					.addKeyValue("error", ex.toString())
					.log("Exchanges and queues could not be declared; messages to those that are missing stay in the outbox");
			}
		});
	}

}
