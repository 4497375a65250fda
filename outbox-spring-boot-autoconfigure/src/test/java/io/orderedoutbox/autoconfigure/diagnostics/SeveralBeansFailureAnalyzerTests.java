/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.lang.reflect.Field;
import java.util.List;

import io.orderedoutbox.store.Partitioner;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SeveralBeansFailureAnalyzer}.
 */
@Tag("unit")
class SeveralBeansFailureAnalyzerTests {

	private final SeveralBeansFailureAnalyzer analyzer = new SeveralBeansFailureAnalyzer();

	@Test
	void namesTheBeansAndNotOurParameter() {
		FailureAnalysis analysis = this.analyzer
			.analyze(injected(SeveralBeansFailureAnalyzer.class, "OURS", Partitioner.class));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription())
			.isEqualTo("The outbox takes one Partitioner, but there are 2 such beans: one, two.");
	}

	@Test
	void leavesWhatTheApplicationInjectsToSpringBoot() {
		assertThat(this.analyzer.analyze(injected(Thread.class, "MAX_PRIORITY", Partitioner.class))).isNull();
	}

	@Test
	void leavesOtherTypesToSpringBoot() {
		assertThat(this.analyzer.analyze(injected(SeveralBeansFailureAnalyzer.class, "OURS", Runnable.class))).isNull();
	}

	// Into a field of a class, whose bean another one needs
	private static Exception injected(Class<?> owner, String name, Class<?> type) {
		Field field = ReflectionUtils.findField(owner, name);
		assertThat(field).isNotNull();
		return new IllegalStateException(new UnsatisfiedDependencyException(null, "bean", new InjectionPoint(field),
				new NoUniqueBeanDefinitionException(type, List.of("one", "two"))));
	}

}
