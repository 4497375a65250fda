/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;

import io.orderedoutbox.autoconfigure.inbox.InboxSchemaInitializer;
import io.orderedoutbox.inbox.InboxCheck;
import io.orderedoutbox.inbox.InboxPurge;
import io.orderedoutbox.inbox.listener.DeadLetterSequences;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;

/**
 * Takes out of an application without a database what works on the tables of the inbox:
 * with {@code outbox.inbox.enabled=true} it would end the start. {@link InMemoryInbox}
 * has no tables.
 */
final class InboxTables implements BeanDefinitionRegistryPostProcessor {

	private static final List<Class<?>> TYPES = List.of(InboxSchemaInitializer.class, InboxCheck.class,
			InboxPurge.class, DeadLetterSequences.class);

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (registry instanceof ConfigurableListableBeanFactory beans) {
			TYPES.stream()
				.flatMap((type) -> List.of(beans.getBeanNamesForType(type, true, false)).stream())
				.filter(registry::containsBeanDefinition)
				.forEach(registry::removeBeanDefinition);
		}
	}

}
