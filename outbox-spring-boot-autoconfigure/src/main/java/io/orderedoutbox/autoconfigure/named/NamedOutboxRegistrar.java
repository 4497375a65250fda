/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.OutboxTransactionListenerRegistrar;
import io.orderedoutbox.autoconfigure.condition.OutboxNames;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers an outbox for each name, and what the application injects: an {@link Outbox}
 * that is qualified with the name, and no candidate without a qualifier.
 */
final class NamedOutboxRegistrar implements ImportBeanDefinitionRegistrar {

	private static final String BEAN = "orderedOutboxNamed.";

	private final Environment environment;

	NamedOutboxRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		List<String> listening = new ArrayList<>();
		for (String name : OutboxNames.of(this.environment)) {
			boolean enabled = isEnabled(name);
			if (!isInParent(registry, BEAN + name)) {
				registry.registerBeanDefinition(BEAN + name, context(name));
				if (enabled) {
					registry.registerBeanDefinition("orderedOutbox." + name, outbox(name));
				}
			}
			if (enabled) {
				listening.add(BEAN + name);
			}
		}
		if (!listening.isEmpty()) {
			registry.registerBeanDefinition("orderedOutboxNamedListeners", listeners(listening));
		}
	}

	private static RootBeanDefinition listeners(List<String> listening) {
		RootBeanDefinition listeners = new RootBeanDefinition(Listeners.class);
		listeners.getConstructorArgumentValues().addIndexedArgumentValue(0, listening.toArray(String[]::new));
		listeners.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		return listeners;
	}

	// A hierarchy of contexts has each outbox once
	private static boolean isInParent(BeanDefinitionRegistry registry, String bean) {
		BeanFactory parent = (registry instanceof ConfigurableListableBeanFactory beans) ? beans.getParentBeanFactory()
				: null;
		return parent != null && parent.containsBean(bean);
	}

	private boolean isEnabled(String name) {
		return Binder.get(this.environment)
			.bind("%s.%s.enabled".formatted(OutboxNames.PREFIX, name), Boolean.class)
			.orElse(true);
	}

	private static RootBeanDefinition context(String name) {
		RootBeanDefinition definition = new RootBeanDefinition(NamedOutbox.class);
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
		return definition;
	}

	private static RootBeanDefinition outbox(String name) {
		RootBeanDefinition definition = new RootBeanDefinition(Outbox.class);
		definition.setFactoryBeanName(BEAN + name);
		definition.setFactoryMethodName("outbox");
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		definition.setDefaultCandidate(false);
		return definition;
	}

	/**
	 * Adds the outboxes to every transaction manager.
	 */
	static final class Listeners extends OutboxTransactionListenerRegistrar {

		Listeners(String[] outboxes, ConfigurableListableBeanFactory beans) {
			super(beans, List.of(outboxes), (outbox) -> beans.getBean(outbox, NamedOutbox.class).transactions());
		}

	}

}
