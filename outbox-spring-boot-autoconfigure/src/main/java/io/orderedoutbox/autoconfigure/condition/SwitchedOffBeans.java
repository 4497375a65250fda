/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.env.Environment;

/**
 * Removes the beans whose switch is off, where no condition could do so: in an
 * application that was processed ahead of time. What starts is the same as without that.
 */
final class SwitchedOffBeans implements BeanDefinitionRegistryPostProcessor {

	private final Environment environment;

	SwitchedOffBeans(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
		if (SwitchCondition.isProcessingAheadOfTime()) {
			return;
		}
		Set<String> off = remove(registry, this::isOff);
		// What these look for may have been one of the others
		off.addAll(remove(registry, (element) -> isOffAndWithoutBean(element, registry)));
		if (!off.isEmpty()) {
			// Who uses a database waits for those who make tables: also for ours
			Arrays.stream(registry.getBeanDefinitionNames())
				.map(registry::getBeanDefinition)
				.forEach((definition) -> definition.setDependsOn(without(off, definition.getDependsOn())));
		}
	}

	private static Set<String> remove(BeanDefinitionRegistry registry, Predicate<AnnotatedElement> condition) {
		Set<String> names = Arrays.stream(registry.getBeanDefinitionNames())
			.filter((name) -> declarations(registry.getBeanDefinition(name)).anyMatch(condition))
			.collect(Collectors.toSet());
		names.forEach(registry::removeBeanDefinition);
		return names;
	}

	// The method of a bean, and the classes around it
	private static Stream<AnnotatedElement> declarations(BeanDefinition definition) {
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		if (method == null) {
			return Stream.empty();
		}
		Stream<Class<?>> classes = Stream.iterate(method.getDeclaringClass(), Objects::nonNull,
				Class::getEnclosingClass);
		return Stream.concat(Stream.of(method), classes);
	}

	private boolean isOff(AnnotatedElement element) {
		ConditionalOnSwitch condition = AnnotatedElementUtils.getMergedAnnotation(element, ConditionalOnSwitch.class);
		return condition != null && !condition.value().isOn(this.environment);
	}

	private boolean isOffAndWithoutBean(AnnotatedElement element, BeanDefinitionRegistry registry) {
		ConditionalOnSwitchOrBean condition = AnnotatedElementUtils.getMergedAnnotation(element,
				ConditionalOnSwitchOrBean.class);
		return condition != null && !condition.value().isOn(this.environment)
				&& !SwitchOrBeanCondition.isThere(condition.type(), (ListableBeanFactory) registry);
	}

	private static String @Nullable [] without(Set<String> off, String @Nullable [] names) {
		return (names != null) ? Stream.of(names).filter((name) -> !off.contains(name)).toArray(String[]::new) : null;
	}

}
