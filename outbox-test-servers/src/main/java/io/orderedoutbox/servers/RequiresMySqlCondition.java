/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

final class RequiresMySqlCondition implements ExecutionCondition {

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return evaluate(Servers.database());
	}

	static ConditionEvaluationResult evaluate(Database database) {
		if (database.isMySql()) {
			return ConditionEvaluationResult.enabled("on " + database.describe());
		}
		return ConditionEvaluationResult.disabled(
				"needs MySQL, has " + database.describe() + ": give an address in OUTBOX_MYSQL_URL or start Docker");
	}

}
