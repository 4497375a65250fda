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
