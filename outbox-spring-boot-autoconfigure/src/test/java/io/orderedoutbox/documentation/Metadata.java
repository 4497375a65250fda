/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;

/**
 * What the build knows of the properties of the outbox, and of what Actuator knows of it.
 *
 * @param properties the properties by their names
 */
record Metadata(Map<String, Property> properties) {

	private static final String OURS = "(outbox|management\\.(health|endpoint)\\.(ordered)?(outbox|inbox))\\..*";

	static Metadata read() {
		JsonNode metadata = JsonMapper.shared().readTree(json());
		Map<String, Property> properties = new LinkedHashMap<>();
		for (JsonNode property : metadata.path("properties")) {
			String name = property.path("name").asString();
			if (name.matches(OURS)) {
				properties.put(name, new Property(name, property.path("type").asString(), defaultValue(property),
						property.path("description").asString(), values(metadata, name)));
			}
		}
		return new Metadata(properties);
	}

	private static String json() {
		try {
			return new ClassPathResource("META-INF/spring-configuration-metadata.json")
				.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// A constant is written as one writes it in a file: read-only
	private static String defaultValue(JsonNode property) {
		JsonNode value = property.path("defaultValue");
		String text = value.isValueNode() ? value.asString() : "";
		return property.path("type").asString().endsWith(".Access") ? text.replace('_', '-') : text;
	}

	private static List<Value> values(JsonNode metadata, String name) {
		List<Value> values = new ArrayList<>();
		for (JsonNode hint : metadata.path("hints")) {
			if (hint.path("name").asString().equals(name)) {
				hint.path("values")
					.forEach((value) -> values
						.add(new Value(value.path("value").asString(), value.path("description").asString())));
			}
		}
		return values;
	}

	/**
	 * A property.
	 *
	 * @param name its name
	 * @param type the name of its Java type
	 * @param defaultValue its default, empty if it has none
	 * @param description what it means
	 * @param values values that it can have, or none if there are too many
	 */
	record Property(String name, String type, String defaultValue, String description, List<Value> values) {

		boolean isMap() {
			return this.type.startsWith(Map.class.getName());
		}

		/**
		 * What is written into a file, for a reader who does not know the Java type.
		 */
		String kind() {
			return switch (this.type.replaceFirst("<.*", "")) {
				case "java.lang.Boolean" -> "boolean";
				case "java.lang.Integer", "java.lang.Long" -> "integer";
				case "java.lang.Double" -> "number";
				case "java.lang.String" -> "text";
				case "java.time.Duration" -> "duration";
				case "org.springframework.util.unit.DataSize" -> "size";
				case "java.util.List" -> "list";
				case "java.util.Map" -> "map";
				default -> "one of";
			};
		}

	}

	/**
	 * A value of a property.
	 *
	 * @param value how it is written
	 * @param description what it means
	 */
	record Value(String value, String description) {

	}

}
