/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Turns a value of a property of the outbox that cannot be read, or makes no sense, into
 * a report. The one of Spring Boot names our classes, and not always the property.
 * <ol>
 * <li>A value that makes no sense is found when a group of properties is complete. The
 * message then names the properties in quotes, and where each of them is set is looked up
 * in the environment. Those of an outbox with a name have it in the environment, and not
 * in the message.</li>
 * <li>A value that cannot be read belongs to the property of the exception. The type that
 * was wanted says what to write.</li>
 * <li>All else is left to Spring Boot.</li>
 * </ol>
 */
// Before the one of Spring Boot, which has no order
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("outbox");

	private static final ConfigurationPropertyName NAMED = ConfigurationPropertyName.of(OutboxNames.PREFIX);

	// outbox.named.audit
	private static final int NAMED_OUTBOX = NAMED.getNumberOfElements() + 1;

	private static final String OURS = "io.orderedoutbox.";

	private static final Pattern QUOTED = Pattern.compile("'(outbox\\.[a-z0-9.-]+)'");

	private final Environment environment;

	PropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!PREFIX.equals(cause.getName()) && !PREFIX.isAncestorOf(cause.getName())) {
			return null;
		}
		String refusal = refusal(cause);
		if (refusal != null) {
			return new FailureAnalysis(refusal + ".", "Correct %s.".formatted(named(refusal)), cause);
		}
		ConfigurationProperty property = cause.getProperty();
		String expected = ReadableValues.of(cause.getTarget().getType());
		return (property != null && expected != null)
				? new FailureAnalysis("'%s' cannot be '%s'.".formatted(property.getName(), property.getValue()),
						"Write %s: correct %s.".formatted(expected, text(property.getName().toString(), property)),
						cause)
				: null;
	}

	// Of a record of ours that was complete
	private static @Nullable String refusal(BindException cause) {
		Class<?> type = cause.getTarget().getType().resolve(Object.class);
		String message = NestedExceptionUtils.getMostSpecificCause(cause).getMessage();
		return (type.getName().startsWith(OURS) && message != null && QUOTED.matcher(message).find())
				? asWritten(message, cause.getName()) : null;
	}

	private static String asWritten(String message, ConfigurationPropertyName group) {
		return NAMED.isAncestorOf(group) ? message.replace("'outbox.", "'%s.".formatted(group.chop(NAMED_OUTBOX)))
				: message;
	}

	private String named(String refusal) {
		return QUOTED.matcher(refusal)
			.results()
			.map((MatchResult quoted) -> quoted.group(1))
			.distinct()
			.map((name) -> text(name, find(name)))
			.collect(Collectors.joining(" or "));
	}

	private @Nullable ConfigurationProperty find(String name) {
		ConfigurationPropertyName wanted = ConfigurationPropertyName.of(name);
		for (var source : ConfigurationPropertySources.get(this.environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(wanted);
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private static String text(String name, @Nullable ConfigurationProperty property) {
		Origin origin = (property != null) ? property.getOrigin() : null;
		return (origin != null) ? "%s (%s)".formatted(name, Objects.toString(origin)) : name;
	}

}
