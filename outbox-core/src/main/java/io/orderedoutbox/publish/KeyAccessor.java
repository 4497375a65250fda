package io.orderedoutbox.publish;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.util.StringUtils;

/**
 * Reads the value that {@link PartitionKey} marks on a type. A member wins over an
 * expression on the type; two different members are an error.
 */
@FunctionalInterface
interface KeyAccessor {

	@Nullable Object read(Object event);

	/**
	 * Return whether the type has a partition key, right or wrong.
	 */
	static boolean isAnnotated(Class<?> type) {
		return AnnotatedElementUtils.hasAnnotation(type, PartitionKey.class) || !members(type).isEmpty();
	}

	/**
	 * Return the accessor for a type, or {@code null} if nothing is annotated.
	 * @throws OutboxPublicationException if the annotations contradict one another
	 */
	static @Nullable KeyAccessor of(Class<?> type) {
		Map<String, KeyAccessor> members = members(type);
		if (members.size() > 1) {
			throw new OutboxPublicationException("Event %s has more than one @PartitionKey, on %s: keep exactly one"
				.formatted(type.getName(), members.keySet()));
		}
		if (!members.isEmpty()) {
			return members.values().iterator().next();
		}
		PartitionKey onType = AnnotatedElementUtils.findMergedAnnotation(type, PartitionKey.class);
		return (onType != null) ? expression(type, onType.value()) : null;
	}

	// By property name: a component, its field and its accessor are one member
	private static Map<String, KeyAccessor> members(Class<?> type) {
		Map<String, KeyAccessor> members = new TreeMap<>();
		ReflectionUtils.doWithFields(type, (field) -> members.put(field.getName(), field(field)),
				(field) -> field.isAnnotationPresent(PartitionKey.class));
		MethodFilter annotated = (method) -> isGetter(method)
				&& AnnotatedElementUtils.hasAnnotation(method, PartitionKey.class);
		MethodIntrospector.selectMethods(type, annotated)
			.forEach((method) -> members.put(propertyName(method), method(method)));
		RecordComponent[] components = type.getRecordComponents();
		for (RecordComponent component : (components != null) ? components : new RecordComponent[0]) {
			if (component.isAnnotationPresent(PartitionKey.class)) {
				members.put(component.getName(), method(component.getAccessor()));
			}
		}
		return members;
	}

	private static boolean isGetter(Method method) {
		return method.getParameterCount() == 0 && method.getReturnType() != void.class && !method.isBridge();
	}

	private static String propertyName(Method method) {
		String name = method.getName();
		boolean getter = name.startsWith("get") && name.length() > 3 && Character.isUpperCase(name.charAt(3));
		return getter ? StringUtils.uncapitalizeAsProperty(name.substring(3)) : name;
	}

	private static KeyAccessor field(Field field) {
		return (event) -> {
			ReflectionUtils.makeAccessible(field);
			return ReflectionUtils.getField(field, event);
		};
	}

	private static KeyAccessor method(Method method) {
		return (event) -> {
			ReflectionUtils.makeAccessible(method);
			return ReflectionUtils.invokeMethod(method, event);
		};
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
