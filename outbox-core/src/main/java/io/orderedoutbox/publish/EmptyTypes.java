/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ser.BeanSerializerBuilder;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Remembers in which types Jackson has found no property. It finds none in a class with
 * private fields and no getters, and writes an empty object without a word.
 */
final class EmptyTypes extends ValueSerializerModifier {

	private static final long serialVersionUID = 1L;

	@SuppressWarnings("serial") // nobody serialises a mapper that has one
	private final Set<Class<?>> types = ConcurrentHashMap.newKeySet();

	@Override
	public BeanSerializerBuilder updateBuilder(SerializationConfig config, BeanDescription.Supplier type,
			BeanSerializerBuilder builder) {
		if (builder.getProperties().isEmpty() && builder.getAnyGetter() == null) {
			this.types.add(type.getBeanClass());
		}
		return builder;
	}

	boolean contain(Class<?> type) {
		return this.types.contains(type);
	}

}
