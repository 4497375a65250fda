/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.publish.SeveralOutboxes;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names of the outboxes that an application has besides the one without a name.
 * <p>
 * A name is what follows {@code outbox.named.} in any property. A variable of the
 * environment gives none: it does not show where a name ends.
 */
public final class OutboxNames {

	/**
	 * How the outbox without a name is called where there are others.
	 */
	public static final String DEFAULT = SeveralOutboxes.DEFAULT;

	/**
	 * What the names of the properties of further outboxes begin with.
	 */
	public static final String PREFIX = "outbox.named";

	private static final Pattern PROPERTY = Pattern.compile("outbox\\.named(?:\\.([^.\\[]+)|\\[([^]]+)])([.\\[].*|\\z)",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9-]{0,39}");

	private OutboxNames() {
	}

	/**
	 * Return the names, in alphabetical order.
	 * @param environment has the properties
	 * @return the names, empty if there is only the outbox without a name
	 * @throws OutboxConfigurationException if one of them cannot be the name of an outbox
	 */
	public static List<String> of(Environment environment) {
		Set<String> names = new TreeSet<>();
		if (environment instanceof ConfigurableEnvironment configurable) {
			configurable.getPropertySources()
				.stream()
				.filter((source) -> source instanceof EnumerablePropertySource<?>
						&& !(source instanceof SystemEnvironmentPropertySource)
						&& !ConfigurationPropertySources.isAttachedConfigurationPropertySource(source))
				.flatMap((source) -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
				.map(PROPERTY::matcher)
				.filter(Matcher::matches)
				.forEach((property) -> names.add(name(property)));
		}
		names.forEach(OutboxNames::requireValid);
		return List.copyOf(names);
	}

	private static String name(Matcher property) {
		return (property.group(1) != null) ? property.group(1) : property.group(2);
	}

	private static void requireValid(String name) {
		if (!VALID.matcher(name).matches() || name.equals(DEFAULT)) {
			throw new OutboxConfigurationException(
					"'%s.%s' gives an outbox the name '%s'.".formatted(PREFIX, name, name),
					"Choose a name of at most 40 lower-case letters, digits and dashes that begins with a letter and is not 'default'.");
		}
	}

	/**
	 * Return what a property says of an outbox, beginning with a dot or a bracket.
	 * @param property the name of the property
	 * @param outbox the name of the outbox
	 * @return the rest of the property, {@code null} if it is none of this outbox
	 */
	public static @Nullable String rest(String property, String outbox) {
		Matcher matcher = PROPERTY.matcher(property);
		return (matcher.matches() && name(matcher).equals(outbox)) ? matcher.group(3) : null;
	}

}
