/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.Method;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Refuses listeners in beans of which there may be several instances. It reads the
 * definitions of the beans, and makes no bean: such an instance is made when something
 * needs it, and nothing may.
 * <p>
 * Guaranteed for a bean whose class its definition says. Of another one the class is
 * known when an instance is made, and it is refused then.
 */
final class SeveralInstances {

	private static final Logger logger = LoggerFactory.getLogger(SeveralInstances.class);

	private final ConfigurableListableBeanFactory beans;

	SeveralInstances(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Look at all definitions. What scopes have behind their proxies is among them.
	 * @throws OutboxConfigurationException if there is such a listener
	 */
	void refuse() {
		for (String name : this.beans.getBeanDefinitionNames()) {
			Method listener = maybeSeveral(name) ? listener(name) : null;
			if (listener != null) {
				throw refusal(listener, name);
			}
		}
	}

	private boolean maybeSeveral(String name) {
		BeanDefinition definition = this.beans.getMergedBeanDefinition(name);
		if (definition.isAbstract()) {
			return false;
		}
		// A factory that was made can say it of what it makes. This makes none
		return !definition.isSingleton()
				|| (this.beans.getSingleton(name) instanceof FactoryBean<?> factory && !factory.isSingleton());
	}

	// A class that cannot be loaded has no instances either: there is nothing to refuse
	private @Nullable Method listener(String name) {
		try {
			Class<?> type = this.beans.getType(name, false);
			return (type != null) ? OutboxListeners.methods(type).keySet().stream().findFirst().orElse(null) : null;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("The class of the bean '{}' cannot be read", name, ex);
			return null;
		}
	}

	/**
	 * What is said of a listener of which there may be several instances.
	 * @param beanName the bean, also if it is behind the proxy of a scope
	 */
	static OutboxConfigurationException refusal(Method listener, String beanName) {
		String name = ScopedProxyUtils.isScopedTarget(beanName) ? ScopedProxyUtils.getOriginalBeanName(beanName)
				: beanName;
		return new OutboxConfigurationException(
				"The @OutboxListener %s is in the bean '%s', which is no singleton: each instance of it would be called with each message."
					.formatted(listener, name),
				"Make the bean a singleton.");
	}

}
