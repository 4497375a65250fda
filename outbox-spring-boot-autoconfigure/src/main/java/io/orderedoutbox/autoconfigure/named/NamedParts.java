/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.EachOutbox;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportSelector;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * The auto-configuration that is marked with {@link EachOutbox}, in the order of Spring
 * Boot.
 */
@Configuration(proxyBeanMethods = false)
@Import(NamedParts.Selector.class)
class NamedParts {

	/**
	 * Names the classes, so that Spring reads their conditions from their files: those
	 * about classes that are not there get lost when Java loads the annotations.
	 */
	static final class Selector implements ImportSelector {

		private final ClassLoader loader;

		Selector(ClassLoader loader) {
			this.loader = loader;
		}

		@Override
		public String[] selectImports(AnnotationMetadata importing) {
			Stream<Class<?>> ours = ImportCandidates.load(AutoConfiguration.class, this.loader)
				.getCandidates()
				.stream()
				.filter((candidate) -> candidate.startsWith(EachOutbox.class.getPackageName() + "."))
				.map((candidate) -> ClassUtils.resolveClassName(candidate, this.loader));
			Class<?>[] parts = Configurations.getClasses(AutoConfigurations
				.of(ours.filter((type) -> type.isAnnotationPresent(EachOutbox.class)).toArray(Class<?>[]::new)));
			return Stream.of(parts).map(Class::getName).toArray(String[]::new);
		}

	}

}
