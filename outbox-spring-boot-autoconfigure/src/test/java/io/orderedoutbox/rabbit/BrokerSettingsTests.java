/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.List;

import com.rabbitmq.client.Address;
import io.orderedoutbox.OutboxConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What is read of the application's connection factory, for which Spring AMQP has no
 * methods.
 */
@Tag("unit")
class BrokerSettingsTests {

	private final CachingConnectionFactory factory = new CachingConnectionFactory("localhost");

	@Test
	void theAddressesAreWhereTheyAreLookedFor() {
		this.factory.setAddresses("one:1,two:2");
		assertThat(BrokerSettings.areReadable()).isTrue();
		assertThat(BrokerSettings.of(this.factory).addresses()).containsExactly(new Address("one", 1),
				new Address("two", 2));
	}

	@Test
	void aFieldThatAVersionDoesNotHaveIsNamed() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> BrokerSettings.read(this.factory, "brokers", List.class))
			.withMessageContaining("this version of Spring AMQP has no field 'brokers'")
			.withMessageContaining("outboxRabbitConnectionFactory");
	}

}
