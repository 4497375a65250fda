/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.ReflectiveProcessor;

/**
 * Tells a native image of the methods with {@link OutboxListener} and of what they take:
 * they are called by reflection, with a payload that is made from JSON.
 */
final class ListenerReflection implements ReflectiveProcessor {

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
		if (element instanceof Method method) {
			hints.registerMethod(method, ExecutableMode.INVOKE);
			this.binding.registerReflectionHints(hints, method.getGenericParameterTypes());
		}
	}

}
