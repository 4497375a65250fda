/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.MethodMetadata;
import org.springframework.util.ClassUtils;

/**
 * Matches if no parent of the application context has a bean of the type that the method
 * returns. A context without a parent always matches.
 */
final class NotInParentContextCondition extends SpringBootCondition implements ConfigurationCondition {

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Class<?> type = ClassUtils.resolveClassName(((MethodMetadata) metadata).getReturnTypeName(),
				context.getClassLoader());
		ConditionMessage.Builder message = ConditionMessage.forCondition(NotInParentContext.class);
		return isIn(context.getBeanFactory(), type)
				? ConditionOutcome.noMatch(message.found("bean in a parent context").items(type.getName()))
				: ConditionOutcome.match(message.didNotFind("bean in a parent context").items(type.getName()));
	}

	private static boolean isIn(@Nullable ConfigurableListableBeanFactory child, Class<?> type) {
		return child != null && child.getParentBeanFactory() instanceof ListableBeanFactory parent
				&& SwitchOrBeanCondition.isThere(type, parent);
	}

}
