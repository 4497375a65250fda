/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.autoconfigure.condition.OutboxNames;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.AbstractEnvironment;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The environment of the application as an outbox with a name sees it:
 * {@code outbox.ordered} is {@code outbox.named.billing.ordered}. The outbox inherits no
 * property from another outbox, and all others from the application. What the application
 * changes in its environment later is not seen.
 */
final class NamedEnvironment extends AbstractEnvironment {

	// Not after a letter or a dot: org.example.outbox.relay is no property of ours
	private static final Pattern PROPERTY = Pattern.compile("(?<![\\w./@-])outbox\\.(?=[a-z])(?!named\\.)");

	private static final Pattern VARIABLE = Pattern.compile("\\bOUTBOX_(?!NAMED_)");

	private final String outbox;

	NamedEnvironment(ConfigurableEnvironment application, String outbox) {
		this.outbox = outbox;
		setActiveProfiles(application.getActiveProfiles());
		setConversionService(application.getConversionService());
		application.getPropertySources()
			.stream()
			.filter((source) -> !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
			.forEach((source) -> getPropertySources().addLast(NamedPropertySource.of(source, application, outbox)));
		ConfigurationPropertySources.attach(this);
	}

	/**
	 * Return a text in which properties, and variables of the environment, have the names
	 * under which the application has written them.
	 * @param text a property, a variable, or a sentence with some
	 */
	String asWritten(String text) {
		String properties = PROPERTY.matcher(text)
			.replaceAll(Matcher.quoteReplacement(OutboxNames.PREFIX + "." + this.outbox + "."));
		return VARIABLE.matcher(properties)
			.replaceAll("OUTBOX_NAMED_%s_".formatted(this.outbox.replace('-', '_').toUpperCase(Locale.ROOT)));
	}

}
