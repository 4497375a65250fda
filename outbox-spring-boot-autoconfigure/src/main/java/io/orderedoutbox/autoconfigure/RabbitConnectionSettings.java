package io.orderedoutbox.autoconfigure;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

/**
 * Gives a connection factory what the application has configured for RabbitMQ beyond host
 * and credentials, the addresses of a cluster above all.
 */
@FunctionalInterface
interface RabbitConnectionSettings {

	void applyTo(CachingConnectionFactory connectionFactory);

}
