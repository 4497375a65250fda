/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.publish.OutboxTransactionListener;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/**
 * Adds the outbox to every transaction manager, those that the application defines itself
 * included: Boot's own customizers only reach the ones that Boot makes.
 */
final class OutboxTransactionListenerRegistrar implements BeanPostProcessor {

	private final ObjectProvider<OutboxTransactionListener> listener;

	OutboxTransactionListenerRegistrar(ObjectProvider<OutboxTransactionListener> listener) {
		this.listener = listener;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ConfigurableTransactionManager transactionManager) {
			OutboxTransactionListener.register(this.listener.getObject(), transactionManager);
		}
		return bean;
	}

}
