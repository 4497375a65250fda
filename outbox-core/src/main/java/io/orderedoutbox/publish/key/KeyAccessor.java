/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish.key;

import java.util.Map;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.StringUtils;

/**
 * Reads the value that {@link PartitionKey} marks on a type. A member wins over an
 * expression on the type; two different members are an error.
 */
@FunctionalInterface
public interface KeyAccessor {

	@Nullable Object read(Object event);

	/**
	 * Return whether the type has a partition key, right or wrong. Any event of the
	 * application is looked at, also one whose members have a type that is optional.
	 */
	static boolean isAnnotated(Class<?> type) {
		try {
			return AnnotationLookup.isPresent(type, PartitionKey.class) || !KeyMembers.of(type).isEmpty();
		}
		catch (MissingTypeException ex) {
			return ClassFiles.mark(type);
		}
	}

	/**
	 * Return the accessor for a type, or {@code null} if nothing is annotated.
	 * @throws OutboxPublicationException if the annotations contradict one another
	 */
	static @Nullable KeyAccessor of(Class<?> type) {
		Map<String, KeyAccessor> members = KeyMembers.of(type);
		if (members.size() > 1) {
			throw new OutboxPublicationException("Event %s has more than one @PartitionKey, on %s: keep exactly one"
				.formatted(type.getName(), members.keySet()));
		}
		if (!members.isEmpty()) {
			return members.values().iterator().next();
		}
		PartitionKey onType = AnnotationLookup.find(type, PartitionKey.class);
		return (onType != null) ? expression(type, onType.value()) : null;
	}

	private static KeyAccessor expression(Class<?> type, String value) {
		if (!StringUtils.hasText(value)) {
			throw new OutboxPublicationException(
					"@PartitionKey on type %s has no expression: write @PartitionKey(\"orderId\"), or annotate a member"
						.formatted(type.getName()));
		}
		Expression expression = parse(type, value);
		SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
			.withInstanceMethods()
			.build();
		return (event) -> expression.getValue(context, event);
	}

	private static Expression parse(Class<?> type, String value) {
		try {
			return new SpelExpressionParser().parseExpression(value);
		}
		catch (ParseException ex) {
			throw new OutboxPublicationException(
					"@PartitionKey on type %s has an expression that cannot be parsed, '%s': %s"
						.formatted(type.getName(), value, ex.getMessage()),
					ex);
		}
	}

}
