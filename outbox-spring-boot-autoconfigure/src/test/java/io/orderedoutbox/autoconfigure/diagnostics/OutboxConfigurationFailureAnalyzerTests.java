/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import io.orderedoutbox.OutboxConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OutboxConfigurationFailureAnalyzer}.
 */
@Tag("unit")
class OutboxConfigurationFailureAnalyzerTests {

	private final FailureAnalyzer analyzer = new OutboxConfigurationFailureAnalyzer();

	@Test
	void reportsWhatIsWrongAndWhatToDo() {
		OutboxConfigurationException cause = new OutboxConfigurationException("It is broken.", "Mend it.");
		FailureAnalysis analysis = this.analyzer
			.analyze(new BeanCreationException("outer", new BeanCreationException("outboxStore", "inner", cause)));
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).isEqualTo("It is broken.");
		assertThat(analysis.getAction()).isEqualTo("Mend it.");
		assertThat(analysis.getCause()).isSameAs(cause);
	}

	@Test
	void leavesOtherFailuresToOthers() {
		assertThat(this.analyzer.analyze(new IllegalStateException("other"))).isNull();
	}

}
