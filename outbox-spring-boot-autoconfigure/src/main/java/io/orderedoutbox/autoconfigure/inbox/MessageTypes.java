/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.autoconfigure.aot.EventTypes;

import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * The classes that names of messages stand for. A name stands for one class; several
 * names may stand for the same one.
 */
final class MessageTypes {

	private final Map<String, Class<?>> types = new TreeMap<>();

	/**
	 * Start with those that the application has named itself.
	 */
	MessageTypes(Map<String, Class<?>> named) {
		named.forEach(this::add);
	}

	/**
	 * Add the concrete classes with {@link OutboxMessage} in packages and in those below
	 * them.
	 * @param packages where to look
	 * @param resources finds and loads the classes
	 * @param naming says the names of their messages
	 * @throws OutboxConfigurationException if a package has none, or a name would stand
	 * for two classes
	 */
	MessageTypes scan(List<String> packages, ResourceLoader resources, Function<Class<?>, String> naming) {
		EventTypes events = new EventTypes(resources);
		for (String name : packages) {
			List<String> found = events.named(name);
			if (found.isEmpty()) {
				throw new OutboxConfigurationException(
						"The package '%s' of outbox.inbox.type-packages has no concrete class with @OutboxMessage."
							.formatted(name),
						"Correct the name of the package. In a native image a package is known only if it was named when the image was built: no package can be searched there.");
			}
			found.forEach((type) -> {
				Class<?> loaded = ClassUtils.resolveClassName(type, resources.getClassLoader());
				add(naming.apply(loaded), loaded);
			});
		}
		return this;
	}

	private void add(String name, Class<?> type) {
		Class<?> other = this.types.putIfAbsent(name, type);
		if (other != null && other != type) {
			throw new OutboxConfigurationException(
					"The name '%s' stands for two classes, %s and %s: a listener would get one of them by chance."
						.formatted(name, other.getName(), type.getName()),
					"Give one of them another name with @OutboxMessage, or leave it out of outbox.inbox.type-packages and outbox.inbox.types.");
		}
	}

	Map<String, Class<?>> byName() {
		return Collections.unmodifiableMap(this.types);
	}

}
