/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Tells a native image of the records that hold the properties of parts: their components
 * are read to show the configuration that is in effect.
 */
final class ConfigurationHints implements BeanFactoryInitializationAotProcessor {

	@Override
	public BeanFactoryInitializationAotContribution processAheadOfTime(ConfigurableListableBeanFactory beans) {
		List<Class<?>> records = Arrays.stream(beans.getBeanNamesForAnnotation(ConfigurationProperties.class))
			.<Class<?>>map((name) -> beans.getType(name, false))
			.filter(Objects::nonNull)
			.filter(EffectiveConfiguration::shows)
			.toList();
		return (context, code) -> new BindingReflectionHintsRegistrar()
			.registerReflectionHints(context.getRuntimeHints().reflection(), records.toArray(Class<?>[]::new));
	}

}
