/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.debezium;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.Converter;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.jspecify.annotations.Nullable;

/**
 * A record as Kafka would get it: bytes, made by the converters of the configuration.
 *
 * @param topic where it goes
 * @param key its key
 * @param value its value
 * @param headers its headers, as text
 * @param timestamp its time
 */
record CapturedRecord(String topic, String key, byte[] value, Map<String, String> headers, Instant timestamp) {

	static CapturedRecord of(SourceRecord record, Properties settings) {
		Map<String, String> headers = new HashMap<>();
		HeaderConverter converter = make(settings, "header.converter", HeaderConverter.class);
		for (Header header : record.headers()) {
			byte @Nullable [] bytes = converter.fromConnectHeader(record.topic(), header.key(), header.schema(),
					header.value());
			headers.put(header.key(), (bytes != null) ? new String(bytes, StandardCharsets.UTF_8) : "");
		}
		return new CapturedRecord(record.topic(),
				new String(converter(settings, "key.converter", true).fromConnectData(record.topic(),
						record.keySchema(), record.key()), StandardCharsets.UTF_8),
				converter(settings, "value.converter", false).fromConnectData(record.topic(), record.valueSchema(),
						record.value()),
				headers, Instant.ofEpochMilli(record.timestamp()));
	}

	private static Converter converter(Properties settings, String name, boolean isKey) {
		Converter converter = make(settings, name, Converter.class);
		converter.configure(Map.of(), isKey);
		return converter;
	}

	private static <T> T make(Properties settings, String name, Class<T> type) {
		try {
			return type.cast(Class.forName(settings.getProperty(name)).getDeclaredConstructor().newInstance());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(name + " cannot be made", ex);
		}
	}

	String header(String name) {
		return this.headers.getOrDefault(name, "");
	}

	String text() {
		return new String(this.value, StandardCharsets.UTF_8);
	}

}
