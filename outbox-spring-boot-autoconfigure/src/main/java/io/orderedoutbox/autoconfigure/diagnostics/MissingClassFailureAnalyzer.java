/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns a class that our code needs and that is not on the class path into a report: a
 * library that the starter brings was excluded, or the application does without the
 * starter.
 */
final class MissingClassFailureAnalyzer extends AbstractFailureAnalyzer<NoClassDefFoundError> {

	private static final String OURS = "io.orderedoutbox.";

	private static final String LOOKED_AT = "Failed to introspect Class [" + OURS;

	private static final Map<String, String> LIBRARIES = Map.of("org.aspectj.",
			"org.springframework.boot:spring-boot-starter-aspectj", "tools.jackson.",
			"org.springframework.boot:spring-boot-starter-jackson", "org.springframework.jdbc.",
			"org.springframework.boot:spring-boot-starter-jdbc", "org.springframework.boot.jdbc.",
			"org.springframework.boot:spring-boot-starter-jdbc", "com.fasterxml.uuid.",
			"com.fasterxml.uuid:java-uuid-generator");

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoClassDefFoundError cause) {
		String missing = String.valueOf(cause.getMessage()).replace('/', '.');
		String library = LIBRARIES.entrySet()
			.stream()
			.filter((known) -> missing.startsWith(known.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
		return (library != null && (isOurs(cause) || isOurClassLookedAt(rootFailure))) ? new FailureAnalysis(
				"The outbox needs the class %s, which is not on the class path.".formatted(missing),
				"Add %s to the dependencies, or do not exclude it from those of outbox-spring-boot-starter."
					.formatted(library),
				cause) : null;
	}

	// The class loader is at the top of the stack, and our code below it
	private static boolean isOurs(Throwable cause) {
		return Stream.of(cause.getStackTrace()).anyMatch((element) -> element.getClassName().startsWith(OURS));
	}

	// By Spring, which says so: then nothing on the stack is ours
	private static boolean isOurClassLookedAt(Throwable rootFailure) {
		return Stream.iterate(rootFailure, Objects::nonNull, Throwable::getCause)
			.anyMatch((failure) -> String.valueOf(failure.getMessage()).startsWith(LOOKED_AT));
	}

}
