/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.lang.reflect.Method;
import java.util.Set;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import org.springframework.beans.factory.annotation.ParameterResolutionDelegate;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Gives {@link PublishedMessages} and the {@link OutboxRelayDriver} to methods of tests
 * that have them as parameters, without an annotation.
 */
final class OutboxTestExtension implements ParameterResolver {

	private static final Set<Class<?>> TYPES = Set.of(PublishedMessages.class, OutboxRelayDriver.class);

	// With an annotation, and in constructors, Spring does it
	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return TYPES.contains(parameter.getParameter().getType())
				&& parameter.getDeclaringExecutable() instanceof Method
				&& !ParameterResolutionDelegate.isAutowirable(parameter.getParameter(), parameter.getIndex());
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return SpringExtension.getApplicationContext(context).getBean(parameter.getParameter().getType());
	}

}
