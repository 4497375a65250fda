/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.inbox.InboxSchemaInitializer;
import io.orderedoutbox.inbox.InboxCheck;
import io.orderedoutbox.inbox.InboxPurge;
import io.orderedoutbox.inbox.listener.DeadLetterSequences;
import io.orderedoutbox.inbox.listener.ShardRetrySettings.Exhausted;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Takes out of an application without a database what works on the tables of the inbox:
 * with {@code outbox.inbox.enabled=true} it would end the start. {@link InMemoryInbox}
 * has no tables.
 * <p>
 * Nothing knows then which dead letters there are. So listeners of shards that keep them
 * in sequence let messages pass them, as with {@code dead-letter}. An application that
 * has no inbox is refused, as in production.
 */
final class InboxTables implements BeanDefinitionRegistryPostProcessor {

	private static final List<Class<?>> TYPES = List.of(InboxSchemaInitializer.class, InboxCheck.class,
			InboxPurge.class, DeadLetterSequences.class);

	private static final String ON_EXHAUSTED = "outbox.rabbit.shards.retry.on-exhausted";

	private final ConfigurableEnvironment environment;

	InboxTables(ConfigurableEnvironment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (registry instanceof ConfigurableListableBeanFactory beans) {
			boolean hasInbox = !definitions(beans, DeadLetterSequences.class).isEmpty();
			TYPES.forEach((type) -> definitions(beans, type).forEach(registry::removeBeanDefinition));
			if (hasInbox) {
				letMessagesPassDeadLetters();
			}
		}
	}

	private static List<String> definitions(ConfigurableListableBeanFactory beans, Class<?> type) {
		return Stream.of(beans.getBeanNamesForType(type, true, false)).filter(beans::containsBeanDefinition).toList();
	}

	// The properties are bound when the listeners are made, later than this
	private void letMessagesPassDeadLetters() {
		Exhausted exhausted = Binder.get(this.environment).bind(ON_EXHAUSTED, Exhausted.class).orElse(Exhausted.BLOCK);
		if (exhausted == Exhausted.DEAD_LETTER_SEQUENCE) {
			this.environment.getPropertySources()
				.addFirst(new MapPropertySource("outboxTestInbox", Map.of(ON_EXHAUSTED, Exhausted.DEAD_LETTER)));
		}
	}

}
