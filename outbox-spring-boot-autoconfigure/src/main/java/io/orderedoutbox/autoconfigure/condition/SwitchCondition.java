/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a switch is on, or if that is to be decided later: while the application is
 * processed ahead of time.
 */
final class SwitchCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Switch wanted = metadata.getAnnotations().get(ConditionalOnSwitch.class).getEnum("value", Switch.class);
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class, wanted);
		if (isProcessingAheadOfTime()) {
			return ConditionOutcome.match(message.because("it is decided when the application starts"));
		}
		boolean on = wanted.isOn(context.getEnvironment());
		return new ConditionOutcome(on, message.because("it is " + (on ? "on" : "off")));
	}

	static boolean isProcessingAheadOfTime() {
		return Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING);
	}

}
