/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Set;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets what is in memory be the only primary bean of its type: it takes the mark from the
 * beans of the application that have it too.
 */
final class PrimaryBeans implements BeanFactoryPostProcessor {

	static final String STORE = "orderedOutboxTestStore";

	static final String RELAY_STORE = "orderedOutboxTestRelayStore";

	static final String SENDER = "orderedOutboxTestSender";

	private static final Set<String> OURS = Set.of(STORE, RELAY_STORE, SENDER);

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		for (Class<?> type : List.of(OutboxStore.class, RelayStore.class, MessageSender.class)) {
			List<String> names = List.of(beans.getBeanNamesForType(type, true, false));
			if (names.stream().anyMatch(OURS::contains)) {
				names.stream()
					.filter((name) -> !OURS.contains(name) && beans.containsBeanDefinition(name))
					.map(beans::getBeanDefinition)
					.filter(BeanDefinition::isPrimary)
					.forEach((definition) -> definition.setPrimary(false));
			}
		}
	}

}
