/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.ExecutorService;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.AddressResolver;
import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.util.ReflectionUtils;

/**
 * What a connection factory of Spring knows of the way to the broker beside its client:
 * several addresses and their order, or who finds them, and the threads.
 * <p>
 * Spring keeps all of it in private fields and has no getters. A factory that is made
 * from the client alone would go to the client's host, which is {@code localhost} where
 * the application has set addresses.
 *
 * @param addresses the addresses, or null if host and port of the client count
 * @param order in which order they are tried
 * @param resolver finds the addresses, before all others, or null
 * @param executor runs what the client does in other threads, or null
 */
public record BrokerSettings(@Nullable List<Address> addresses, AddressShuffleMode order,
		@Nullable AddressResolver resolver, @Nullable ExecutorService executor) {

	private static final String ADDRESSES = "addresses";

	private static final String ORDER = "addressShuffleMode";

	private static final String RESOLVER = "addressResolver";

	private static final String EXECUTOR = "executorService";

	private static final List<String> FIELDS = List.of(ADDRESSES, ORDER, RESOLVER, EXECUTOR);

	/**
	 * Read the settings of a connection factory.
	 * @param factory the factory itself, not a proxy
	 * @return its settings
	 * @throws OutboxConfigurationException if this version of Spring AMQP keeps them
	 * elsewhere
	 */
	public static BrokerSettings of(AbstractConnectionFactory factory) {
		List<?> addresses = read(factory, ADDRESSES, List.class);
		AddressShuffleMode order = read(factory, ORDER, AddressShuffleMode.class);
		return new BrokerSettings((addresses != null) ? addresses.stream().map(Address.class::cast).toList() : null,
				(order != null) ? order : AddressShuffleMode.RANDOM, read(factory, RESOLVER, AddressResolver.class),
				read(factory, EXECUTOR, ExecutorService.class));
	}

	/**
	 * Return whether the settings are where they are looked for, as in all versions of
	 * Spring AMQP that were tried.
	 */
	static boolean areReadable() {
		return FIELDS.stream().noneMatch((name) -> field(name) == null);
	}

	static <T> @Nullable T read(AbstractConnectionFactory factory, String name, Class<T> type) {
		Field field = field(name);
		if (field == null) {
			throw new OutboxConfigurationException(
					"The outbox cannot read the addresses of the RabbitMQ connection factory: this version of Spring AMQP has no field '%s'."
						.formatted(name),
					"Declare a CachingConnectionFactory bean named outboxRabbitConnectionFactory with simple publisher confirms.");
		}
		ReflectionUtils.makeAccessible(field);
		return type.cast(ReflectionUtils.getField(field, factory));
	}

	private static @Nullable Field field(String name) {
		return ReflectionUtils.findField(AbstractConnectionFactory.class, name);
	}

	/**
	 * Give another connection factory these settings.
	 * @param factory the factory, which has not connected yet
	 */
	public void applyTo(AbstractConnectionFactory factory) {
		factory.setAddressShuffleMode(this.order);
		if (this.addresses != null) {
			factory.setAddresses(this.addresses.stream().map(Address::toString).toList());
		}
		if (this.resolver != null) {
			factory.setAddressResolver(this.resolver);
		}
		if (this.executor != null) {
			factory.setExecutor(this.executor);
		}
	}

}
