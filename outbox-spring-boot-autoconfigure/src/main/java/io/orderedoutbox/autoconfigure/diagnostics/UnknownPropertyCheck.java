/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StringUtils;

/**
 * Warns of properties below {@code outbox.} that the outbox does not read, such as
 * misspelt ones, and refuses routes whose message name has dots and no brackets.
 * <p>
 * It says nothing of what another bean binds. What is injected with {@code @Value} cannot
 * be told from a mistake.
 */
public final class UnknownPropertyCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownPropertyCheck.class);

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("outbox");

	private final Environment environment;

	private final KnownProperties known;

	private final BoundProperties bound;

	private final UnaryOperator<String> asWritten;

	/**
	 * Create the check.
	 * @param environment has the properties
	 * @param known the properties of the library
	 * @param bound the properties that the application binds to types of its own
	 * @param asWritten returns how the application writes a property, which for an outbox
	 * with a name is another name
	 */
	public UnknownPropertyCheck(Environment environment, KnownProperties known, BoundProperties bound,
			UnaryOperator<String> asWritten) {
		this.environment = environment;
		this.known = known;
		this.bound = bound;
		this.asWritten = asWritten;
	}

	@Override
	public void afterSingletonsInstantiated() {
		// An application without the metadata, such as a native image, says nothing wrong
		if (!this.known.isEmpty()) {
			ConfigurationPropertySources.get(this.environment).forEach(this::check);
		}
	}

	private void check(ConfigurationPropertySource source) {
		if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource variables) {
			check(variables);
		}
		else if (source instanceof IterableConfigurationPropertySource iterable) {
			iterable.stream()
				.filter((name) -> PREFIX.equals(name) || PREFIX.isAncestorOf(name))
				.forEach((name) -> check(name, source.getConfigurationProperty(name)));
		}
	}

	private void check(SystemEnvironmentPropertySource variables) {
		VariableNames names = VariableNames.of(this.known);
		for (String variable : variables.getPropertyNames()) {
			String meant = names.meantBy(variable);
			if (meant != null && !this.bound.contain(VariableNames.property(variable))) {
				logger.atWarn()
					.addKeyValue("variable", variable)
					.log("The outbox does not read the variable {} of the environment. Was {} meant?",
							this.asWritten.apply(variable), this.asWritten.apply(meant));
			}
		}
	}

	private void check(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
		boolean isOfRoute = Routes.havePropertyOf(name);
		if (isOfRoute) {
			Routes.requireBrackets(name);
		}
		boolean isRead = isOfRoute ? Routes.contain(name) : this.known.contain(name) || isEmptyGroup(name, property);
		if (!isRead && !this.bound.contain(name)) {
			Origin origin = (property != null) ? property.getOrigin() : null;
			String written = this.asWritten.apply(name.toString());
			logger.atWarn()
				.addKeyValue("property", written)
				.log("The outbox does not read the property '{}' ({}). {}", written,
						(origin != null) ? origin : "of unknown origin", this.asWritten.apply(advice(name, isOfRoute)));
		}
	}

	// YAML has such a property where all that was below it is commented out
	private boolean isEmptyGroup(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
		return property != null && !StringUtils.hasText(String.valueOf(property.getValue()))
				&& this.known.areBelow(name);
	}

	private String advice(ConfigurationPropertyName name, boolean isOfRoute) {
		ConfigurationPropertyName nearest = isOfRoute ? Routes.nearest(name) : this.known.nearest(name);
		if (nearest != null) {
			return "Was '%s' meant?".formatted(nearest);
		}
		return isOfRoute ? "A route has only these: " + String.join(", ", Routes.PROPERTIES)
				: "All that it reads are in docs/properties.md; a property of the application's own needs another prefix";
	}

}
