package io.orderedoutbox.publish;

import java.util.Locale;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxMessage;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * {@link MessageNamingStrategy} that takes the name from {@link OutboxMessage}, or else
 * derives it from the simple name of the class: {@code OrderPlaced} becomes
 * {@code order.placed}, {@code HTTPRequestSent} becomes {@code http.request.sent}.
 */
public final class AnnotatedMessageNamingStrategy implements MessageNamingStrategy {

	/**
	 * What a name looks like: lower-case segments joined by dots, at most 190 characters.
	 */
	public static final Pattern PATTERN = Pattern.compile("(?=.{1,190}\\z)[a-z][a-z0-9_-]*(\\.[a-z0-9][a-z0-9_-]*)*");

	private static final Pattern WORD_START = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

	@Override
	public String nameOf(Class<?> eventType) {
		OutboxMessage annotation = AnnotatedElementUtils.findMergedAnnotation(eventType, OutboxMessage.class);
		if (annotation != null && StringUtils.hasLength(annotation.value())) {
			return annotation.value();
		}
		return WORD_START.matcher(eventType.getSimpleName()).replaceAll(".").toLowerCase(Locale.ROOT);
	}

}
