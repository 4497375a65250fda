/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Turns an {@link OutboxConfigurationException} into a report.
 */
final class OutboxConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<OutboxConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, OutboxConfigurationException cause) {
		return new FailureAnalysis(cause.getDescription(), cause.getRemedy(), cause);
	}

}
