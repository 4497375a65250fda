/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A property source of the application as an outbox with a name sees it:
 * {@code outbox.named.billing.ordered} is {@code outbox.ordered}, what else begins with
 * {@code outbox} is not there, and what begins with something else is as it was.
 * Placeholders mean what they mean in the application.
 */
final class NamedPropertySource extends EnumerablePropertySource<EnumerablePropertySource<?>>
		implements OriginLookup<String> {

	private static final String VARIABLE = "OUTBOX_";

	private final Environment application;

	// As they are asked for, and as the application has them
	private final Map<String, String> names = new LinkedHashMap<>();

	private NamedPropertySource(EnumerablePropertySource<?> source, Environment application, String outbox) {
		super(source.getName(), source);
		this.application = application;
		for (String name : source.getPropertyNames()) {
			String rest = OutboxNames.rest(name, outbox);
			if (rest != null && !isOfContext(rest)) {
				this.names.put("outbox" + rest, name);
			}
			else if (rest == null && !isOfOutbox(name)) {
				this.names.put(name, name);
			}
		}
	}

	/**
	 * Return the source as the outbox sees it.
	 */
	static PropertySource<?> of(PropertySource<?> source, Environment application, String outbox) {
		if (source instanceof SystemEnvironmentPropertySource variables) {
			return variables(variables, application, outbox);
		}
		return (source instanceof EnumerablePropertySource<?> enumerable)
				? new NamedPropertySource(enumerable, application, outbox) : asked(source, application, outbox);
	}

	// One that does not tell its names, such as JNDI
	private static PropertySource<?> asked(PropertySource<?> silent, Environment application, String outbox) {
		return new PropertySource<Object>(silent.getName(), silent) {

			@Override
			public @Nullable Object getProperty(String name) {
				String written = isOfOutbox(name)
						? OutboxNames.PREFIX + "." + outbox + name.substring("outbox".length()) : name;
				Object value = silent.getProperty(written);
				return (value != null) ? resolved(value, application) : null;
			}

		};
	}

	// Spring Boot knows variables of the environment by the type of their source
	private static PropertySource<?> variables(SystemEnvironmentPropertySource source, Environment application,
			String outbox) {
		Map<String, Object> variables = new LinkedHashMap<>();
		source.getSource().forEach((name, value) -> {
			String upper = name.toUpperCase(Locale.ROOT);
			String own = Stream.of("", "_")
				.map((dash) -> "OUTBOX_NAMED_" + outbox.toUpperCase(Locale.ROOT).replace("-", dash) + "_")
				.filter(upper::startsWith)
				.findFirst()
				.orElse(null);
			if (own != null) {
				variables.put(VARIABLE + upper.substring(own.length()), resolved(value, application));
			}
			else if (!upper.startsWith(VARIABLE)) {
				variables.put(name, value);
			}
		});
		return new SystemEnvironmentPropertySource(source.getName(), variables);
	}

	// What is read where the outbox is made, and not in it
	private static boolean isOfContext(String rest) {
		String property = rest.replace("-", "").replaceAll("\\[.*", "").toLowerCase(Locale.ROOT);
		return Set.of(".datasource", ".relaydatasource", ".routingdatasource", ".connectionfactory", ".eventpackages")
			.contains(property);
	}

	private static boolean isOfOutbox(String name) {
		return name.regionMatches(true, 0, "outbox.", 0, "outbox.".length());
	}

	private static Object resolved(Object value, Environment application) {
		return (value instanceof CharSequence text) ? application.resolvePlaceholders(text.toString()) : value;
	}

	@Override
	public String[] getPropertyNames() {
		return this.names.keySet().toArray(String[]::new);
	}

	@Override
	public @Nullable Object getProperty(String name) {
		String known = this.names.get(name);
		Object value = (known != null) ? getSource().getProperty(known) : null;
		return (value != null) ? resolved(value, this.application) : null;
	}

	@Override
	public @Nullable Origin getOrigin(String key) {
		String known = this.names.get(key);
		return (known != null) ? OriginLookup.getOrigin(getSource(), known) : null;
	}

}
