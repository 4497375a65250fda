/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.servers.Database;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The configuration of the connector as docs/debezium.md has it.
 */
final class DocumentedConnector {

	private static final Pattern ADDRESS = Pattern.compile("jdbc:mysql://([^/:]+):(\\d+)/([^?]+).*");

	// In the documentation, in front of the table and as the database
	private static final String SCHEMA = "shop";

	private DocumentedConnector() {
	}

	/**
	 * What the page says, by the names of the settings.
	 */
	static Map<String, String> settings() {
		Map<String, String> settings = new TreeMap<>();
		JsonNode config = JsonMapper.shared().readTree(block("json")).path("config");
		config.properties().forEach((setting) -> settings.put(setting.getKey(), setting.getValue().asString()));
		return settings;
	}

	/**
	 * The statements that make the user of the connector.
	 */
	static String rights() {
		return block("SQL");
	}

	private static String block(String language) {
		try {
			String page = Files.readString(Path.of("..", "docs", "debezium.md"));
			Matcher block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(page);
			if (!block.find()) {
				throw new IllegalStateException("docs/debezium.md has no block of " + language);
			}
			return block.group(1);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The same for the embedded engine and a schema of a test. Only addresses are others,
	 * and the places for offsets and for the history of the schema, which Kafka Connect
	 * keeps in Kafka.
	 * @param files a directory for offsets
	 */
	static Properties on(Database database, String username, String password, Path files) {
		Matcher address = ADDRESS.matcher(database.jdbcUrl());
		if (!address.matches()) {
			throw new IllegalStateException(database.jdbcUrl() + " is no address of MySQL");
		}
		Properties properties = new Properties();
		settings().forEach((name, value) -> properties.setProperty(name,
				value.replaceAll("^" + SCHEMA + "(\\.outbox_message.*)?$", address.group(3) + "$1")));
		properties.setProperty("name", "outbox");
		properties.setProperty("database.hostname", address.group(1));
		properties.setProperty("database.port", address.group(2));
		properties.setProperty("database.user", username);
		properties.setProperty("database.password", password);
		// Two engines at a time on one server
		properties.setProperty("database.server.id", String.valueOf(100_000 + (int) (Math.random() * 1_000_000)));
		properties.setProperty("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
		properties.setProperty("schema.history.internal.file.filename", files.resolve("history").toString());
		properties.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
		properties.setProperty("offset.storage.file.filename", files.resolve("offsets").toString());
		properties.setProperty("offset.flush.interval.ms", "0");
		return properties;
	}

}
