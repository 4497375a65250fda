/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.List;

import io.orderedoutbox.autoconfigure.condition.OutboxNames;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the application has outboxes with names.
 */
final class OnNamedOutboxCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		List<String> names = OutboxNames.of(context.getEnvironment());
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnNamedOutbox.class);
		return names.isEmpty() ? ConditionOutcome.noMatch(message.didNotFind("named outbox").atAll())
				: ConditionOutcome.match(message.found("named outbox", "named outboxes").items(names));
	}

}
