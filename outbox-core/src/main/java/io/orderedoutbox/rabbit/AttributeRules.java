/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import java.util.regex.Pattern;

import io.orderedoutbox.publish.Publication;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What CloudEvents and their binding for AMQP demand of the names and the values of
 * attributes. Who receives an event may be lenient, who sends it must not.
 */
final class AttributeRules {

	// The other prefix of the binding
	private static final String OTHER_PREFIX = "cloudEvents:";

	private static final String SUBJECT = "subject";

	private static final String SCHEMA = "dataschema";

	private static final Set<String> OWN = Set.of("specversion", "id", "type", "source", "time", "datacontenttype",
			CloudEventAttributes.PARTITION_KEY);

	// Formats have the data under it
	private static final String RESERVED = "data";

	private static final Pattern NAME = Pattern.compile("[a-z0-9]+");

	private static final Pattern URI_CHARACTERS = Pattern.compile("\\p{ASCII}+");

	private AttributeRules() {
	}

	/**
	 * Refuse a header of the application that would be an attribute, and cannot be one.
	 * @param name the name of the header
	 * @param value its value
	 * @throws IllegalArgumentException if it has the name of an attribute that the outbox
	 * sets, or another one that no attribute can have, or a value that it cannot have
	 */
	static void requireAttribute(String name, Object value) {
		Assert.isTrue(!name.startsWith(OTHER_PREFIX),
				() -> "header '%s' would be a second name of an attribute: begin it with '%s'".formatted(name,
						CloudEventAttributes.PREFIX));
		if (!name.startsWith(CloudEventAttributes.PREFIX)) {
			return;
		}
		String attribute = name.substring(CloudEventAttributes.PREFIX.length());
		Assert.isTrue(!OWN.contains(attribute),
				() -> "header '%s' is an attribute that the outbox sets itself: leave it out".formatted(name));
		Assert.isTrue(NAME.matcher(attribute).matches(),
				() -> "header '%s' is no attribute of a CloudEvent: after '%s' it must have lower-case letters a to z and digits only"
					.formatted(name, CloudEventAttributes.PREFIX));
		Assert.isTrue(!attribute.equals(RESERVED),
				() -> "header '%s' has a name that CloudEvents reserve: choose another".formatted(name));
		requireValue("header '%s'".formatted(name), value);
		if (attribute.equals(SUBJECT) || attribute.equals(SCHEMA)) {
			requireText(name, value, attribute.equals(SCHEMA));
		}
	}

	/**
	 * Refuse a partition key that would be an attribute, and cannot be one.
	 * @param publication has the key
	 * @throws IllegalArgumentException if the key is not empty, and no attribute can have
	 * it as its value
	 */
	static void requireKey(Publication publication) {
		requireValue("the partition key would be the attribute '%s', and".formatted(CloudEventAttributes.PARTITION_KEY),
				publication.partitionKey());
	}

	private static void requireValue(String what, Object value) {
		if (value instanceof String text) {
			Assert.isTrue(text.codePoints().noneMatch(AttributeRules::isForbidden),
					() -> what + " must have no control characters, and only characters of Unicode");
		}
		else {
			Assert.isTrue(value instanceof Boolean || (value instanceof Long number && number == number.intValue()),
					() -> "%s must be text, a truth value or a whole number of 32 bits, but is %s: convert it to text"
						.formatted(what, value));
		}
	}

	// Control characters and what Unicode calls noncharacters
	private static boolean isForbidden(int character) {
		return Character.isISOControl(character) || (character >= 0xFDD0 && character <= 0xFDEF)
				|| (character & 0xFFFE) == 0xFFFE;
	}

	private static void requireText(String name, Object value, boolean isUri) {
		Assert.isTrue(value instanceof String text && !text.isEmpty(),
				() -> "header '%s' must be text, and not empty".formatted(name));
		if (isUri) {
			try {
				URI uri = requireReference(value.toString());
				Assert.isTrue(uri.isAbsolute(), "it has no scheme");
				Assert.isTrue(uri.getRawFragment() == null, "it has a fragment");
			}
			catch (IllegalArgumentException ex) {
				throw new IllegalArgumentException(
						"header '%s' must be an absolute URI, which has no fragment, but is '%s': %s".formatted(name,
								value, ex.getMessage()),
						ex);
			}
		}
	}

	/**
	 * Return the URI reference that a text is.
	 * @param text the text
	 * @return the URI reference
	 * @throws IllegalArgumentException if it is none, or empty
	 */
	static URI requireReference(String text) {
		try {
			Assert.isTrue(URI_CHARACTERS.matcher(text).matches(),
					"it must not be empty, and have ASCII characters only");
			URI uri = new URI(text);
			Assert.isTrue(
					!hasBracket(uri.isOpaque() ? uri.getRawSchemeSpecificPart() : uri.getRawQuery())
							&& !hasBracket(uri.getRawFragment()),
					"it must have [ and ] around an address of IPv6 only");
			return uri;
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException(ex.getReason() + " at index " + ex.getIndex(), ex);
		}
	}

	// Java allows them by an older standard
	private static boolean hasBracket(@Nullable String part) {
		return part != null && (part.contains("[") || part.contains("]"));
	}

}
