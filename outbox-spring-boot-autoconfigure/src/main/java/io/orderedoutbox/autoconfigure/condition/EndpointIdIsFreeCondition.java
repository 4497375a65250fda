/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.condition;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches unless something else has an endpoint with the id {@code outbox}, or another
 * id.
 */
public class EndpointIdIsFreeCondition extends SpringBootCondition implements ConfigurationCondition {

	private final String id;

	EndpointIdIsFreeCondition() {
		this("outbox");
	}

	EndpointIdIsFreeCondition(String id) {
		this.id = id;
	}

	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		List<String> others = others(context.getBeanFactory());
		ConditionMessage.Builder message = ConditionMessage.forCondition("Endpoint id '" + this.id + "'");
		return others.isEmpty() ? ConditionOutcome.match(message.because("it is free"))
				: ConditionOutcome.noMatch(message.found("other endpoint", "other endpoints").items(others));
	}

	private List<String> others(@Nullable ConfigurableListableBeanFactory beans) {
		return (beans == null) ? List.of() : Arrays.stream(beans.getBeanDefinitionNames()).filter((name) -> {
			Endpoint endpoint = beans.findAnnotationOnBean(name, Endpoint.class, false);
			return endpoint != null && this.id.equalsIgnoreCase(endpoint.id());
		}).toList();
	}

}
