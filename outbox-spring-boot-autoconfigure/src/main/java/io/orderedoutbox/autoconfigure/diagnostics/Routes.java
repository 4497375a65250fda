/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.rabbit.RabbitRoutingStrategy.RouteOverride;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * The properties of the routes, which have the names of messages in their names.
 */
final class Routes {

	/**
	 * What a route has.
	 */
	static final List<String> PROPERTIES = Stream.of(RouteOverride.class.getRecordComponents())
		.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
		.toList();

	private static final ConfigurationPropertyName ROUTES = ConfigurationPropertyName.of("outbox.rabbit.routes");

	private static final int MESSAGE = ROUTES.getNumberOfElements();

	private static final int PROPERTY = MESSAGE + 1;

	private Routes() {
	}

	/**
	 * Whether the name is that of a route's property.
	 */
	static boolean havePropertyOf(ConfigurationPropertyName name) {
		return ROUTES.isAncestorOf(name) && name.getNumberOfElements() > PROPERTY;
	}

	/**
	 * Whether a route has this property.
	 */
	static boolean contain(ConfigurationPropertyName name) {
		return name.getNumberOfElements() == PROPERTY + 1 && isProperty(name, PROPERTY);
	}

	/**
	 * Return the property of the same route that was meant, perhaps. Null if all of them
	 * are very different.
	 */
	static @Nullable ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
		String written = name.getElement(PROPERTY, Form.DASHED);
		String nearest = PROPERTIES.stream()
			.filter((property) -> property.contains(written))
			.findFirst()
			.orElseGet(() -> Distance.nearest(written, PROPERTIES, Math.max(2, written.length() / 3)));
		return (nearest != null) ? name.chop(PROPERTY).append(nearest) : null;
	}

	/**
	 * Refuse a message name that has dots and no brackets: Spring Boot would bind a route
	 * of another name, and the message would go elsewhere.
	 */
	static void requireBrackets(ConfigurationPropertyName name) {
		int last = name.getNumberOfElements() - 1;
		// What is below a property of a route is no name of a message
		if (last > PROPERTY && (!isProperty(name, PROPERTY) || isProperty(name, last))) {
			throw dotted(name, last);
		}
	}

	private static boolean isProperty(ConfigurationPropertyName name, int index) {
		String written = name.getElement(index, Form.UNIFORM);
		return PROPERTIES.stream().anyMatch((property) -> property.replace("-", "").equals(written));
	}

	private static OutboxConfigurationException dotted(ConfigurationPropertyName name, int last) {
		StringBuilder message = new StringBuilder();
		for (int i = MESSAGE; i < last; i++) {
			message.append(message.isEmpty() ? "" : ".").append(name.getElement(i, Form.ORIGINAL));
		}
		return new OutboxConfigurationException(
				"The property '%s' is no route: the name of a message with dots needs brackets.".formatted(name),
				"Write %s[%s].%s, and in YAML the name as \"[%s]\".".formatted(ROUTES, message,
						name.getElement(last, Form.ORIGINAL), message));
	}

}
