/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.List;
import java.util.stream.Collectors;

import com.rabbitmq.client.Address;
import org.jspecify.annotations.Nullable;
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

	// Null if host and port of the factory count, or what a resolver finds
	private final @Nullable List<Address> addresses;

	private final @Nullable ResolvedAddresses resolved;

	private BrokerName(ConnectionFactory factory, @Nullable List<Address> addresses,
			@Nullable ResolvedAddresses resolved) {
		this.factory = factory;
		this.addresses = addresses;
		this.resolved = resolved;
	}

	/**
	 * The name of the broker that a factory connects to.
	 * @param factory the factory, which has not connected yet: what its resolver finds
	 * from now on is remembered
	 */
	static BrokerName of(ConnectionFactory factory) {
		if (!(factory instanceof AbstractConnectionFactory known && BrokerSettings.areReadable())) {
			return new BrokerName(factory, null, null);
		}
		// Spring changes the order of its list in other threads, later
		BrokerSettings settings = BrokerSettings.of(known);
		if (settings.resolver() == null) {
			return new BrokerName(factory, settings.addresses(), null);
		}
		ResolvedAddresses resolved = new ResolvedAddresses(settings.resolver());
		known.setAddressResolver(resolved);
		return new BrokerName(factory, null, resolved);
	}

	@Override
	public String toString() {
		return "%s (user '%s', virtual host '%s')".formatted(addresses(), user(), this.factory.getVirtualHost());
	}

	private String addresses() {
		if (this.resolved != null) {
			return this.resolved.last().isEmpty() ? "addresses of the resolver " + this.resolved
					: text(this.resolved.last());
		}
		return (this.addresses != null) ? text(this.addresses) : this.factory.getHost() + ":" + this.factory.getPort();
	}

	private String text(List<Address> addresses) {
		boolean ssl = this.factory instanceof AbstractConnectionFactory known
				&& known.getRabbitConnectionFactory().isSSL();
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
