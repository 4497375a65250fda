/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.OutboxProperties.Rabbit;
import io.orderedoutbox.autoconfigure.OutboxProperties.Rabbit.Format;
import io.orderedoutbox.rabbit.CloudEventAttributes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Who sends the events of the application: what a property says, or else the name of the
 * application.
 */
final class CloudEventSource {

	private static final String SOURCE = "outbox.rabbit.cloud-events.source";

	private static final String NAME = "spring.application.name";

	private static final String REMEDY = "Set %s to a URI reference, such as https://shop.example.com/orders or /shop/orders."
		.formatted(SOURCE);

	private CloudEventSource() {
	}

	/**
	 * Return what makes a CloudEvent of each message, null if messages are none.
	 * @throws OutboxConfigurationException if there is no source, or it is no URI
	 * reference
	 */
	static @Nullable CloudEventAttributes attributes(Rabbit properties, Environment environment) {
		if (properties.format() != Format.CLOUDEVENTS) {
			return null;
		}
		String source = properties.cloudEvents().source();
		return StringUtils.hasText(source) ? attributes(SOURCE, source)
				: attributes(NAME, environment.getProperty(NAME));
	}

	private static CloudEventAttributes attributes(String property, @Nullable String source) {
		if (!StringUtils.hasText(source)) {
			throw new OutboxConfigurationException(
					"CloudEvents (outbox.rabbit.format) have a source, but there is neither %s nor %s."
						.formatted(SOURCE, NAME),
					REMEDY);
		}
		try {
			return new CloudEventAttributes(source);
		}
		catch (IllegalArgumentException ex) {
			throw new OutboxConfigurationException("The source of CloudEvents, '%s' from %s, is no URI reference: %s."
				.formatted(source, property, ex.getMessage()), REMEDY, ex);
		}
	}

}
