/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.condition.SenderName;
import io.orderedoutbox.schema.SchemaDialect;
import io.orderedoutbox.send.MessageSender;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, which the build generates and editors show.
 */
@Tag("unit")
class ConfigurationMetadataTests {

	private static final JsonNode METADATA = metadata();

	static final Map<String, JsonNode> PROPERTIES = byName("properties");

	private static final Map<String, JsonNode> HINTS = byName("hints");

	// All that editors know
	private static final Set<String> PROVIDERS = Set.of("any", "class-reference", "handle-as", "logger-name",
			"spring-bean-reference", "spring-profile-name");

	@Test
	void everyPropertyHasTypeAndDescription() {
		assertThat(PROPERTIES).isNotEmpty().allSatisfy((name, property) -> {
			assertThat(property.path("type").asString("")).isNotEmpty();
			assertThat(property.path("description").asString("")).isNotEmpty();
		});
	}

	@Test
	void descriptionsReadLikeThoseOfBoot() {
		assertThat(PROPERTIES).allSatisfy((name, property) -> {
			String description = property.path("description").asString("");
			assertThat(description).doesNotStartWith("The ")
				.doesNotStartWith("A ")
				.endsWith(".")
				.doesNotContain("{@", "<", "\n");
			if (property.path("type").asString("").equals(Boolean.class.getName())) {
				assertThat(description).startsWith("Whether ");
			}
		});
	}

	@Test
	void everyPropertyIsOurs() {
		assertThat(PROPERTIES.keySet()).allSatisfy((name) -> assertThat(name)
			.matches("(outbox|management.(health|endpoint).(ordered)?(outbox|inbox))[.].+"));
	}

	@Test
	void everyPropertyHasADefaultExceptThoseThatAreDerivedOrOptional() {
		Set<String> derived = Set.of("outbox.jdbc.platform", "outbox.jdbc.print-schema", "outbox.relay.pool-size",
				"outbox.rabbit.routes", "outbox.monitor.allowed-hosts", "outbox.rabbit.shards.count",
				"outbox.rabbit.shards.name", "outbox.rabbit.shards.exchange", "outbox.rabbit.cloud-events.source",
				"outbox.inbox.types", "outbox.inbox.type-packages", "outbox.senders", "outbox.kafka.topics",
				"outbox.named");
		PROPERTIES.forEach((name, property) -> assertThat(property.has("defaultValue")).as(name)
			.isEqualTo(!derived.contains(name)));
	}

	@Test
	void whatIsInheritedFromBootIsThereWithOurDefaults() {
		assertThat(PROPERTIES).containsKeys("outbox.jdbc.initialize-schema", "outbox.jdbc.schema",
				"outbox.jdbc.platform", "outbox.jdbc.continue-on-error");
		OutboxJdbcProperties defaults = new OutboxJdbcProperties();
		assertThat(defaultOf("outbox.jdbc.continue-on-error")).isEqualTo(String.valueOf(defaults.isContinueOnError()));
		assertThat(defaultOf("outbox.jdbc.schema")).isEqualTo(defaults.getDefaultSchemaLocation());
		assertThat(defaultOf("outbox.jdbc.initialize-schema"))
			.isEqualToIgnoringCase(defaults.getInitializeSchema().name());
	}

	static String defaultOf(String property) {
		return PROPERTIES.get(property).path("defaultValue").asString();
	}

	@Test
	void hintsAreOfPropertiesThatExistAndSayWhatTheirValuesMean() {
		assertThat(HINTS).isNotEmpty().allSatisfy((name, hint) -> {
			assertThat(PROPERTIES).containsKey(name.replaceFirst("[.](keys|values)$", ""));
			assertThat(hint.path("values").size() + hint.path("providers").size()).isPositive();
			assertThat(hint.path("values"))
				.allSatisfy((value) -> assertThat(value.path("description").asString("")).endsWith("."));
			assertThat(hint.path("providers"))
				.allSatisfy((provider) -> assertThat(PROVIDERS).contains(provider.path("name").asString("")));
		});
	}

	@Test
	void eachPropertyWithFixedValuesHasThemAsHints() {
		Map<String, List<String>> fixed = new LinkedHashMap<>();
		PROPERTIES.forEach((name, property) -> {
			Object[] constants = constantsOf(property.path("type").asString());
			if (name.startsWith("outbox.") && constants != null) {
				fixed.put(name, Stream.of(constants).map(ConfigurationMetadataTests::written).toList());
			}
		});
		assertThat(fixed).hasSizeGreaterThan(8)
			.allSatisfy(
					(name, values) -> assertThat(hinted(name)).as(name).containsExactlyInAnyOrderElementsOf(values));
	}

	private static Object @Nullable [] constantsOf(String type) {
		return ClassUtils.isPresent(type, null) ? ClassUtils.resolveClassName(type, null).getEnumConstants() : null;
	}

	private static String written(Object constant) {
		return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	@Test
	void sendersAndPlatformsAreHintsThoughTheyAreTexts() {
		List<String> senders = Stream.of(SenderName.values()).map(ConfigurationMetadataTests::written).toList();
		assertThat(hinted("outbox.sender")).isEqualTo(senders);
		assertThat(hinted("outbox.senders.values")).isEqualTo(senders);
		List<String> platforms = Stream.of(SchemaDialect.values()).map(SchemaDialect::platform).toList();
		assertThat(hinted("outbox.jdbc.platform")).isEqualTo(platforms);
		assertThat(hinted("outbox.jdbc.print-schema")).isEqualTo(platforms);
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.sender", "outbox.senders.values" })
	void namesOfBeansAreSuggestedByTheirType(String name) {
		assertThat(HINTS.get(name).path("providers")).anySatisfy((provider) -> {
			assertThat(provider.path("name").asString()).isEqualTo("spring-bean-reference");
			assertThat(provider.path("parameters").path("target").asString()).isEqualTo(MessageSender.class.getName());
		});
	}

	private static List<String> hinted(String name) {
		assertThat(HINTS).containsKey(name);
		return HINTS.get(name).path("values").valueStream().map((value) -> value.path("value").asString()).toList();
	}

	private static Map<String, JsonNode> byName(String part) {
		Map<String, JsonNode> byName = new LinkedHashMap<>();
		for (JsonNode element : METADATA.path(part)) {
			byName.put(element.path("name").asString(), element);
		}
		return byName;
	}

	private static JsonNode metadata() {
		String location = "/META-INF/spring-configuration-metadata.json";
		try (InputStream metadata = OutboxProperties.class.getResourceAsStream(location)) {
			assertThat(metadata).isNotNull();
			return JsonMapper.builder().build().readTree(metadata);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
