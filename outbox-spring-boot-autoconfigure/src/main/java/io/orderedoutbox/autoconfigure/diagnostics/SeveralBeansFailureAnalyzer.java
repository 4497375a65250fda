/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.UnsatisfiedDependencyException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Turns several beans of a type of which the outbox takes one into a report. The one of
 * Spring Boot names a parameter of our code, which the user cannot change.
 */
// Before the one of Spring Boot, which has no order
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SeveralBeansFailureAnalyzer extends AbstractFailureAnalyzer<NoUniqueBeanDefinitionException> {

	private static final String OURS = "io.orderedoutbox.";

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoUniqueBeanDefinitionException cause) {
		Class<?> type = cause.getBeanType();
		Collection<String> names = cause.getBeanNamesFound();
		if (type == null || names == null || !isOurs(type) || isWantedByAnother(rootFailure)) {
			return null;
		}
		return new FailureAnalysis(
				"The outbox takes one %s, but there are %d such beans: %s.".formatted(type.getSimpleName(),
						names.size(), String.join(", ", names)),
				"Mark the one that it is to use with @Primary, or remove the others.", cause);
	}

	// The bean that is made last wants them: those around it want that bean
	private static boolean isWantedByAnother(Throwable rootFailure) {
		InjectionPoint last = null;
		for (Throwable failure = rootFailure; failure != null; failure = failure.getCause()) {
			if (failure instanceof UnsatisfiedDependencyException unsatisfied) {
				last = unsatisfied.getInjectionPoint();
			}
		}
		return last != null && !isOurs(last.getMember().getDeclaringClass());
	}

	private static boolean isOurs(Class<?> type) {
		return type.getName().startsWith(OURS);
	}

}
