/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/**
 * The properties below a prefix that the metadata of any library, or of the application,
 * describe.
 *
 * @param properties what each of them holds, by their names without the keys of maps and
 * the indexes of lists
 */
public record KnownProperties(Map<ConfigurationPropertyName, Content> properties) {

	private static final String METADATA = "classpath*:META-INF/spring-configuration-metadata.json";

	/**
	 * Read them.
	 * @param prefix the beginning of their names
	 * @param loader where the libraries are
	 */
	public static KnownProperties read(String prefix, ClassLoader loader) {
		Map<ConfigurationPropertyName, Content> properties = new TreeMap<>();
		try {
			for (Resource resource : new PathMatchingResourcePatternResolver(loader).getResources(METADATA)) {
				String json = resource.getContentAsString(StandardCharsets.UTF_8);
				// Most of them are large, and none of ours
				if (json.contains("\"" + prefix + ".")) {
					add(properties, prefix + ".", json);
				}
			}
		}
		catch (IOException ex) {
			throw new OutboxConfigurationException(
					"The metadata of configuration properties cannot be read: %s.".formatted(ex.getMessage()),
					"Look for a damaged jar file on the class path.", ex);
		}
		return new KnownProperties(Collections.unmodifiableMap(properties));
	}

	private static void add(Map<ConfigurationPropertyName, Content> properties, String prefix, String json) {
		// Without Jackson, which is to be reported, Spring Boot has a parser that cannot
		// read this
		for (JsonNode property : JsonMapper.shared().readTree(json).path("properties")) {
			String name = property.path("name").asString();
			if (name.startsWith(prefix)) {
				properties.put(ConfigurationPropertyName.of(name), Content.of(property.path("type").asString()));
			}
		}
	}

	/**
	 * Return those that an outbox with a name reads. What listeners, the terminal and the
	 * monitor page go by is there once in an application, and a script is printed by the
	 * one without a name.
	 */
	public KnownProperties ofNamedOutbox() {
		List<ConfigurationPropertyName> others = Stream
			.of("outbox.inbox", "outbox.rabbit.shards", "outbox.terminal", "outbox.jdbc.print-schema", "outbox.named",
					"outbox.monitor.enabled", "outbox.monitor.path", "outbox.monitor.secured",
					"outbox.monitor.allowed-hosts")
			.map(ConfigurationPropertyName::of)
			.toList();
		Map<ConfigurationPropertyName, Content> own = new TreeMap<>(this.properties);
		own.keySet()
			.removeIf((name) -> others.stream().anyMatch((other) -> other.equals(name) || other.isAncestorOf(name)));
		return new KnownProperties(Collections.unmodifiableMap(own));
	}

	/**
	 * Whether something reads the property, or it belongs to a map or a list that
	 * something reads.
	 */
	boolean contain(ConfigurationPropertyName name) {
		return this.properties.containsKey(name) || this.properties.entrySet()
			.stream()
			.anyMatch((known) -> known.getKey().isAncestorOf(name)
					&& known.getValue().has(name, known.getKey().getNumberOfElements()));
	}

	/**
	 * Whether there are properties below the name.
	 */
	boolean areBelow(ConfigurationPropertyName name) {
		return this.properties.keySet().stream().anyMatch(name::isAncestorOf);
	}

	/**
	 * Return the name that was meant, perhaps: the one below which this name is, the
	 * switch of what it names, or the one that differs in the fewest characters. Null if
	 * all of them are very different.
	 */
	@Nullable ConfigurationPropertyName nearest(ConfigurationPropertyName name) {
		String text = name.toString();
		ConfigurationPropertyName enabled = name.append("enabled");
		return this.properties.keySet()
			.stream()
			.filter((known) -> known.isAncestorOf(name) || known.equals(enabled))
			.findFirst()
			.orElseGet(() -> Distance.nearest(text, this.properties.keySet(), Math.max(2, text.length() / 3)));
	}

	boolean isEmpty() {
		return this.properties.isEmpty();
	}

	/**
	 * What a property holds.
	 */
	enum Content {

		/**
		 * One value.
		 */
		VALUE,

		/**
		 * Values with numbers.
		 */
		LIST,

		/**
		 * Values with names of their own.
		 */
		MAP;

		private static Content of(String type) {
			String raw = type.replaceFirst("<.*>", "");
			return switch (raw) {
				case "java.util.Map", "java.util.SortedMap", "java.util.Properties" -> MAP;
				case "java.util.List", "java.util.Set", "java.util.SortedSet", "java.util.Collection" -> LIST;
				default -> raw.endsWith("[]") ? LIST : VALUE;
			};
		}

		// Whether the element of a name belongs to it
		private boolean has(ConfigurationPropertyName name, int index) {
			return this == MAP || (this == LIST && name.isNumericIndex(index));
		}

	}

}
