/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a switch is on or a bean is there, or if that is to be decided later: while
 * the application is processed ahead of time.
 */
final class SwitchOrBeanCondition extends SpringBootCondition implements ConfigurationCondition {

	// Before that it is not known which beans the application has
	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		MergedAnnotation<ConditionalOnSwitchOrBean> condition = metadata.getAnnotations()
			.get(ConditionalOnSwitchOrBean.class);
		Switch wanted = condition.getEnum("value", Switch.class);
		Class<?> type = condition.getClass("type");
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitchOrBean.class, wanted);
		if (SwitchCondition.isProcessingAheadOfTime()) {
			return ConditionOutcome.match(message.because("it is decided when the application starts"));
		}
		if (wanted.isOn(context.getEnvironment())) {
			return ConditionOutcome.match(message.because("it is on"));
		}
		return isThere(type, context.getBeanFactory())
				? ConditionOutcome.match(message.found("bean of type").items(type.getName())) : ConditionOutcome
					.noMatch(message.because("it is off, and there is no bean of type " + type.getName()));
	}

	/**
	 * Whether there is a bean of a type, here or in a parent context. None is created.
	 */
	static boolean isThere(Class<?> type, @Nullable ListableBeanFactory beans) {
		return beans != null
				&& BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0;
	}

}
