/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.OrderUtils;

/**
 * Beans of the application that an outbox with a name works with. They are handed to its
 * context as they are: that context neither initializes nor destroys them, nor does it
 * start or stop them.
 * <p>
 * Of a type, an outbox gets the beans that are qualified with its name, or that have it
 * as their own name. If there are none, it gets those of the application that have no
 * qualifier, and none of the library: these are parts of the outbox without a name.
 */
final class Collaborators {

	private static final String OURS = "orderedOutbox";

	// Names by which a context takes a bean for that of its own relay
	private static final Map<String, String> GIVEN = Map.of("outboxRabbitConnectionFactory",
			"orderedOutboxGivenConnectionFactory");

	private final String outbox;

	private final ConfigurableListableBeanFactory application;

	private final DefaultListableBeanFactory target;

	Collaborators(String outbox, ConfigurableListableBeanFactory application, DefaultListableBeanFactory target) {
		this.outbox = outbox;
		this.application = application;
		this.target = target;
	}

	String outbox() {
		return this.outbox;
	}

	/**
	 * Hand over one bean of each of some types that may serve several outboxes: if there
	 * are more, the primary one.
	 */
	void share(List<Class<?>> types) {
		types.forEach(this::share);
	}

	/**
	 * Hand over one bean of a type that may serve several outboxes: if there are more,
	 * the primary one.
	 * @return whether there was one
	 */
	boolean share(Class<?> type) {
		List<String> names = names(type);
		Object primary = (names.size() > 1) ? this.application.getBeanProvider(type).getIfUnique() : null;
		names.stream()
			.filter((name) -> primary == null || this.application.getBean(name) == primary)
			.forEach((name) -> give(GIVEN.getOrDefault(name, name), this.application.getBean(name)));
		return !names.isEmpty();
	}

	/**
	 * Hand over all beans of types that may serve several outboxes, in the order that
	 * they have in the application.
	 */
	void shareAll(Class<?>... types) {
		for (Class<?> type : types) {
			for (String name : names(type)) {
				RootBeanDefinition definition = new RootBeanDefinition();
				definition.setAttribute(AbstractBeanDefinition.ORDER_ATTRIBUTE, orderOfMethod(name));
				give(name, this.application.getBean(name), definition);
			}
		}
	}

	/**
	 * Find the beans of a type that may serve several outboxes, and make those that are
	 * not made yet.
	 */
	<T> Stream<T> shared(Class<T> type) {
		return names(type).stream().map((name) -> this.application.getBean(name, type));
	}

	/**
	 * Find all beans of a type, also those that nobody gets who does not name them, and
	 * make those that are not made yet.
	 */
	<T> Stream<T> all(Class<T> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type))
			.map((name) -> this.application.getBean(name, type));
	}

	private @Nullable Integer orderOfMethod(String name) {
		Method method = (this.application.containsBeanDefinition(name)
				&& this.application.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition)
						? definition.getResolvedFactoryMethod() : null;
		return (method != null) ? OrderUtils.getOrder(method) : null;
	}

	/**
	 * Hand over the beans of types of which each outbox needs one of its own.
	 */
	void own(Class<?>... types) {
		for (Class<?> type : types) {
			qualified(type).forEach((name) -> give(name, this.application.getBean(name)));
		}
	}

	/**
	 * Hand over something as a bean of some name.
	 */
	void give(String name, Object bean) {
		give(name, bean, new RootBeanDefinition());
	}

	// The definition has no class: its annotations have done their work in the
	// application. What is registered as a singleton is neither initialized nor destroyed
	private void give(String name, Object bean, RootBeanDefinition definition) {
		if (this.target.containsSingleton(name)) {
			return;
		}
		// One that is defined would be called once more when all singletons are there
		if (!(bean instanceof SmartInitializingSingleton) || !definition.isDefaultCandidate()) {
			definition.setInstanceSupplier(() -> bean);
			this.target.registerBeanDefinition(name, definition);
		}
		this.target.registerSingleton(name, bean);
	}

	/**
	 * Hand over the bean that a property names, so that it is found by its name, or by a
	 * qualifier, and not by its type alone.
	 * @param qualifier the qualifier, if there is one
	 */
	void lend(Class<?> type, String property, String name, @Nullable Class<? extends Annotation> qualifier) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setDefaultCandidate(false);
		if (qualifier != null) {
			definition.addQualifier(new AutowireCandidateQualifier(qualifier));
		}
		give(name, bean(type, property, name), definition);
	}

	/**
	 * Return the bean that a property names, or else the one that is qualified;
	 * {@code null} if there is none of these.
	 * @param property the name of the bean, if it is set
	 * @throws OutboxConfigurationException if it is not there, or if two are qualified
	 */
	<T> @Nullable T choose(Class<T> type, String property, @Nullable String name) {
		if (name != null) {
			return bean(type, property, name);
		}
		List<String> qualified = qualified(type);
		if (qualified.size() > 1) {
			throw new OutboxConfigurationException(
					"The outbox '%s' needs one %s, but its name qualifies %d: %s.".formatted(this.outbox,
							type.getSimpleName(), qualified.size(), String.join(", ", qualified)),
					"Name one of them with outbox.named.%s.%s.".formatted(this.outbox, property));
		}
		if (!qualified.isEmpty()) {
			return this.application.getBean(qualified.get(0), type);
		}
		return null;
	}

	/**
	 * Return the bean that a property names.
	 * @throws OutboxConfigurationException if there is no such bean of the type
	 */
	<T> T bean(Class<T> type, String property, String name) {
		String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type);
		if (!List.of(names).contains(name)) {
			throw new OutboxConfigurationException(
					"The outbox '%s' needs the %s '%s', but there are only these: %s.".formatted(this.outbox,
							type.getSimpleName(), name, String.join(", ", names)),
					"Correct outbox.named.%s.%s, or declare a bean of that name.".formatted(this.outbox, property));
		}
		return this.application.getBean(name, type);
	}

	private List<String> names(Class<?> type) {
		List<String> qualified = qualified(type);
		return !qualified.isEmpty() ? qualified
				: Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type))
					.filter((name) -> !name.startsWith(OURS) && isDefaultCandidate(name))
					.toList();
	}

	private List<String> qualified(Class<?> type) {
		return Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.application, type))
			.filter((name) -> BeanFactoryAnnotationUtils.isQualifierMatch(this.outbox::equals, name, this.application))
			.toList();
	}

	private boolean isDefaultCandidate(String name) {
		if (!this.application.containsBeanDefinition(name)) {
			return true;
		}
		BeanDefinition definition = this.application.getMergedBeanDefinition(name);
		return definition.isAutowireCandidate()
				&& (!(definition instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate());
	}

}
