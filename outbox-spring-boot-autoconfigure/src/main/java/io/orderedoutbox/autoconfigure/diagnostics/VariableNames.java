/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.diagnostics.KnownProperties.Content;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The variables of the environment from which Spring Boot reads known properties.
 * <p>
 * Their names do not show where a word ends, and many that begin in the same way have
 * nothing to do with the outbox: only one that is nearly a known one is taken for a
 * mistake.
 *
 * @param names what they are called
 * @param beginnings what those of lists and maps begin with
 */
record VariableNames(Set<String> names, Set<String> beginnings) {

	private static final int MISTAKES = 2;

	private static final String PREFIX = "OUTBOX_";

	private static final String ROUTES = "OUTBOX_RABBIT_ROUTES_";

	static VariableNames of(KnownProperties known) {
		VariableNames all = new VariableNames(new TreeSet<>(), new TreeSet<>());
		known.properties().forEach((property, content) -> forms(property.toString()).forEach((name) -> {
			all.names.add(name);
			if (content != Content.VALUE) {
				all.beginnings.add(name + "_");
			}
		}));
		return all;
	}

	// Without dashes, or with underscores in their place
	private static Stream<String> forms(String property) {
		return Stream.of("", "_").map((dash) -> upper(property.replace("-", dash)));
	}

	private static String upper(String name) {
		return name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
	}

	/**
	 * Return the variable that was meant, perhaps. Null if this one is known, or like
	 * none.
	 */
	@Nullable String meantBy(String variable) {
		String written = upper(variable);
		if (!written.startsWith(PREFIX)) {
			return null;
		}
		if (written.startsWith(ROUTES)) {
			return nearest(written, ofSameRoute(written));
		}
		return this.beginnings.stream().anyMatch(written::startsWith) ? null : nearest(written, this.names);
	}

	private static @Nullable String nearest(String written, Set<String> names) {
		return names.contains(written) ? null : Distance.nearest(written, names, MISTAKES);
	}

	/**
	 * Return the property that Spring Boot makes of a variable.
	 */
	static ConfigurationPropertyName property(String variable) {
		return ConfigurationPropertyName.adapt(upper(variable).toLowerCase(Locale.ROOT), '_');
	}

	private static Set<String> ofSameRoute(String written) {
		Set<String> names = new TreeSet<>();
		Routes.PROPERTIES.stream()
			.flatMap(VariableNames::forms)
			.forEach((property) -> names.add(withoutLast(written, property.split("_").length) + "_" + property));
		return names;
	}

	private static String withoutLast(String written, int words) {
		String shorter = written;
		for (int word = 0; word < words; word++) {
			shorter = shorter.substring(0, Math.max(0, shorter.lastIndexOf('_')));
		}
		return shorter;
	}

}
