package io.orderedoutbox.rabbit;

import java.util.List;
import java.util.stream.Collectors;

import com.rabbitmq.client.Address;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * How errors call the broker: by the addresses that are tried, the user and the virtual
 * host. Never by the password.
 */
final class BrokerName {

	private static final Logger logger = LoggerFactory.getLogger(BrokerName.class);

	private final ConnectionFactory factory;

	private BrokerName(ConnectionFactory factory) {
		this.factory = factory;
	}

	/**
	 * The name of the broker that a factory connects to.
	 * @param factory the factory, which has not connected yet: what its resolver finds
	 * from now on is remembered
	 */
	static BrokerName of(ConnectionFactory factory) {
		if (factory instanceof AbstractConnectionFactory known && BrokerSettings.areReadable()) {
			BrokerSettings settings = BrokerSettings.of(known);
			if (settings.resolver() != null) {
				known.setAddressResolver(new ResolvedAddresses(settings.resolver()));
			}
		}
		return new BrokerName(factory);
	}

	@Override
	public String toString() {
		return "%s (user '%s', virtual host '%s')".formatted(addresses(), user(), this.factory.getVirtualHost());
	}

	private String addresses() {
		if (this.factory instanceof AbstractConnectionFactory known && BrokerSettings.areReadable()) {
			BrokerSettings settings = BrokerSettings.of(known);
			boolean ssl = known.getRabbitConnectionFactory().isSSL();
			if (settings.resolver() instanceof ResolvedAddresses resolved) {
				return resolved.last().isEmpty() ? "addresses of the resolver " + resolved : text(resolved.last(), ssl);
			}
			if (settings.addresses() != null) {
				return text(settings.addresses(), ssl);
			}
		}
		return this.factory.getHost() + ":" + this.factory.getPort();
	}

	private static String text(List<Address> addresses, boolean ssl) {
		return addresses.stream()
			.map((address) -> address.getHost() + ":"
					+ com.rabbitmq.client.ConnectionFactory.portOrDefault(address.getPort(), ssl))
			.collect(Collectors.joining(", "));
	}

	// Credentials can come from a provider that asks another server for them
	private String user() {
		try {
			return this.factory.getUsername();
		}
		catch (RuntimeException ex) {
			logger.debug("The provider of the credentials for RabbitMQ fails", ex);
			return "unknown";
		}
	}

}
