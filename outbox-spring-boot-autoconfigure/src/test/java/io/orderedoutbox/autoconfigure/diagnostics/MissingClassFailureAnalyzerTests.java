/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import io.orderedoutbox.autoconfigure.ClassPathTests;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingClassFailureAnalyzer}. What a real application says without one
 * of these libraries is in {@link ClassPathTests}.
 */
@Tag("unit")
class MissingClassFailureAnalyzerTests {

	private final FailureAnalyzer analyzer = new MissingClassFailureAnalyzer();

	@ParameterizedTest
	@CsvSource({ "org/aspectj/lang/ProceedingJoinPoint, org.springframework.boot:spring-boot-starter-aspectj",
			"tools/jackson/databind/json/JsonMapper, org.springframework.boot:spring-boot-starter-jackson",
			"org/springframework/jdbc/core/JdbcTemplate, org.springframework.boot:spring-boot-starter-jdbc",
			"org/springframework/boot/jdbc/DataSourceUnwrapper, org.springframework.boot:spring-boot-starter-jdbc",
			"com/fasterxml/uuid/Generators, com.fasterxml.uuid:java-uuid-generator" })
	void namesTheLibraryThatBringsTheClass(String type, String library) {
		NoClassDefFoundError cause = thrownFrom(type, "io.orderedoutbox.publish.OutboxEventBridge");
		FailureAnalysis analysis = this.analyzer.analyze(new IllegalStateException("outer", cause));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription())
			.isEqualTo("The outbox needs the class " + type.replace('/', '.') + ", which is not on the class path.");
		assertThat(analysis.getAction()).startsWith("Add " + library + " to the dependencies")
			.contains("outbox-spring-boot-starter");
		assertThat(analysis.getCause()).isSameAs(cause);
	}

	@ParameterizedTest
	@CsvSource({ "io.orderedoutbox.autoconfigure.OutboxAutoConfiguration, true", "com.example.Shop, false" })
	void whoseTheClassIsThatSpringLooksAtIsInTheFailureAbove(String type, boolean ours) {
		NoClassDefFoundError cause = thrownFrom("org/springframework/boot/jdbc/DataSourceUnwrapper",
				ReflectionUtils.class.getName());
		FailureAnalysis analysis = this.analyzer.analyze(new IllegalStateException("outer", new IllegalStateException(
				"Failed to introspect Class [" + type + "] from ClassLoader [" + type + "]", cause)));
		assertThat(analysis != null).isEqualTo(ours);
	}

	@Test
	void leavesWhatTheApplicationNeedsToSpringBoot() {
		assertThat(this.analyzer.analyze(thrownFrom("org/aspectj/lang/ProceedingJoinPoint", "com.example.Shop")))
			.isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "com/example/Price", "Could not initialize class io.orderedoutbox.Outbox" })
	void leavesOtherClassesToSpringBoot(String message) {
		assertThat(this.analyzer.analyze(thrownFrom(message, "io.orderedoutbox.publish.OutboxEventBridge"))).isNull();
	}

	@Test
	void leavesOtherFailuresToOthers() {
		assertThat(this.analyzer.analyze(new IllegalStateException("other"))).isNull();
		assertThat(this.analyzer.analyze(new NoClassDefFoundError())).isNull();
	}

	private static NoClassDefFoundError thrownFrom(String missing, String type) {
		NoClassDefFoundError error = new NoClassDefFoundError(missing);
		error.setStackTrace(
				new StackTraceElement[] { new StackTraceElement(ClassLoader.class.getName(), "loadClass", null, 1),
						new StackTraceElement(type, "create", null, 1) });
		return error;
	}

}
