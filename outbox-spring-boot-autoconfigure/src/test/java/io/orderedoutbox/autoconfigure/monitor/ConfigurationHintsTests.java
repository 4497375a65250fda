/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.lang.reflect.RecordComponent;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.OutboxProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConfigurationHints}.
 */
@Tag("unit")
class ConfigurationHintsTests {

	static Stream<Class<?>> properties() {
		ClassPathScanningCandidateComponentProvider scanner = new ClassPathScanningCandidateComponentProvider(false);
		scanner.addIncludeFilter(new AnnotationTypeFilter(ConfigurationProperties.class));
		return scanner.findCandidateComponents(OutboxProperties.class.getPackageName())
			.stream()
			.<Class<?>>map((found) -> ClassUtils.resolveClassName(found.getBeanClassName(), null))
			.filter(Class::isRecord);
	}

	@ParameterizedTest
	@MethodSource("properties")
	void imagesShowTheConfigurationThatIsInEffect(Class<?> type) {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerBeanDefinition("properties", new RootBeanDefinition(type));
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("com.example", "Application")), new InMemoryGeneratedFiles());
		new ConfigurationHints().processAheadOfTime(beans).applyTo(generation, null);
		for (RecordComponent component : type.getRecordComponents()) {
			assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(component.getAccessor()))
				.accepts(generation.getRuntimeHints());
		}
	}

}
