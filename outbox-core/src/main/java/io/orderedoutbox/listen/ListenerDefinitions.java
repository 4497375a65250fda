/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans with listeners, as the definitions of beans tell of them before anything
 * needs the beans.
 * <p>
 * This knows a bean whose class its definition says. The class of another one is known
 * when the bean is made: if nothing makes it, nothing calls its listeners.
 */
final class ListenerDefinitions {

	private static final Logger logger = LoggerFactory.getLogger(ListenerDefinitions.class);

	private final ConfigurableListableBeanFactory beans;

	ListenerDefinitions(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Refuse listeners of which there may be several instances, and make no bean. What
	 * scopes have behind their proxies is among them.
	 * @throws OutboxConfigurationException if there is such a listener
	 */
	void refuseSeveralInstances() {
		concrete().filter(this::maybeSeveral).forEach((name) -> {
			Method listener = listener(name);
			if (listener != null) {
				throw refusal(listener, name);
			}
		});
	}

	/**
	 * Make the beans with listeners that wait until something needs them: it is a message
	 * that needs them, and it comes without asking for a bean.
	 */
	void makeLazyBeans() {
		concrete().filter(this::maybeNotMade).filter((name) -> listener(name) != null).forEach(this.beans::getBean);
	}

	// A factory that was made may not have made its bean
	private boolean maybeNotMade(String name) {
		Object made = this.beans.getSingleton(name);
		return made == null || made instanceof FactoryBean;
	}

	private Stream<String> concrete() {
		return Arrays.stream(this.beans.getBeanDefinitionNames())
			.filter((name) -> !this.beans.getMergedBeanDefinition(name).isAbstract());
	}

	private boolean maybeSeveral(String name) {
		// A factory that was made can say it of what it makes. This makes none
		return !this.beans.getMergedBeanDefinition(name).isSingleton()
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
