package io.orderedoutbox.autoconfigure;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

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
		Set<String> off = Arrays.stream(registry.getBeanDefinitionNames())
			.filter((name) -> isOff(registry.getBeanDefinition(name)))
			.collect(Collectors.toSet());
		if (!off.isEmpty()) {
			off.forEach(registry::removeBeanDefinition);
			// Who uses a database waits for those who make tables: also for ours
			Arrays.stream(registry.getBeanDefinitionNames())
				.map(registry::getBeanDefinition)
				.forEach((definition) -> definition.setDependsOn(without(off, definition.getDependsOn())));
		}
	}

	private boolean isOff(BeanDefinition definition) {
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		if (method == null) {
			return false;
		}
		Stream<Class<?>> classes = Stream.iterate(method.getDeclaringClass(), Objects::nonNull,
				Class::getEnclosingClass);
		return Stream.<AnnotatedElement>concat(Stream.of(method), classes)
			.map((element) -> AnnotatedElementUtils.getMergedAnnotation(element, ConditionalOnSwitch.class))
			.anyMatch((condition) -> condition != null && !condition.value().isOn(this.environment));
	}

	private static String @Nullable [] without(Set<String> off, String @Nullable [] names) {
		return (names != null) ? Stream.of(names).filter((name) -> !off.contains(name)).toArray(String[]::new) : null;
	}

}
