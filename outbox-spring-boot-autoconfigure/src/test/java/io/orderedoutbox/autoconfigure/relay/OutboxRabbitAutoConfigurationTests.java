/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration.SenderConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.target.AbstractLazyCreationTargetSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The connection factory of the application, as the relay's own is derived from it. Beans
 * of Spring AMQP fail before that when an application starts.
 */
@Tag("unit")
class OutboxRabbitAutoConfigurationTests {

	@Test
	void aProxyThatCannotShowWhatIsBehindItIsNamed() {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("connectionFactory", new ProxyFactory(ConnectionFactory.class, new OfAnEndedScope()).getProxy());
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> new SenderConfiguration()
				.outboxRabbitConnectionFactory(beans.getBeanProvider(ConnectionFactory.class), null, null, null))
			.withMessageContaining("behind a proxy: the scope has ended.")
			.withMessageContaining("outboxRabbitConnectionFactory");
	}

	private static final class OfAnEndedScope extends AbstractLazyCreationTargetSource {

		@Override
		protected Object createObject() {
			throw new IllegalStateException("the scope has ended");
		}

	}

}
