package io.orderedoutbox.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the metadata of the properties, which the build generates and editors show.
 */
@Tag("unit")
class ConfigurationMetadataTests {

	static final Map<String, JsonNode> PROPERTIES = properties();

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
				"outbox.inbox.types", "outbox.inbox.type-packages", "outbox.senders", "outbox.kafka.topics");
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

	private static Map<String, JsonNode> properties() {
		String location = "/META-INF/spring-configuration-metadata.json";
		try (InputStream metadata = OutboxProperties.class.getResourceAsStream(location)) {
			assertThat(metadata).isNotNull();
			Map<String, JsonNode> properties = new LinkedHashMap<>();
			for (JsonNode property : JsonMapper.builder().build().readTree(metadata).path("properties")) {
				properties.put(property.path("name").asString(), property);
			}
			return properties;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
