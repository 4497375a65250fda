/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * To which property a parameter of a constructor belongs: to the one of its name. Kotlin
 * puts an annotation that allows it on the parameter, and not on the property.
 */
final class ConstructorParameters {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	private ConstructorParameters() {
	}

	static String nameOf(Constructor<?> constructor, int index) {
		RecordComponent[] components = constructor.getDeclaringClass().getRecordComponents();
		if (components != null && isCanonical(constructor, components)) {
			return components[index].getName();
		}
		@Nullable String @Nullable [] names = NAMES.getParameterNames(constructor);
		String name = (names != null && index < names.length) ? names[index] : null;
		return (name != null) ? name : constructor.getParameters()[index].getName();
	}

	// A compiler may leave out the names of its parameters
	private static boolean isCanonical(Constructor<?> constructor, RecordComponent[] components) {
		return Arrays.equals(constructor.getParameterTypes(),
				Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
	}

}
