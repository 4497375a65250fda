/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

final class RequiresRabbitMqCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return evaluate(Servers.broker());
	}

	static ConditionEvaluationResult evaluate(Broker broker) {
		if (broker.isRabbitMq()) {
			return ConditionEvaluationResult.enabled("on " + broker.describe());
		}
		return ConditionEvaluationResult.disabled("needs RabbitMQ, has " + broker.describe()
				+ ": give an address in OUTBOX_RABBITMQ_HOST or start Docker");
	}

}
