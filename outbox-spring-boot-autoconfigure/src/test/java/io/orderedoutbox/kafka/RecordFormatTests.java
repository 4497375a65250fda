/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Headers of an application that have the names of those that the outbox sets.
 */
@Tag("unit")
class RecordFormatTests {

	// With each number of other headers a map has them in another order
	static IntStream numbersOfOtherHeaders() {
		return IntStream.range(0, 30);
	}

	@ParameterizedTest
	@MethodSource("numbersOfOtherHeaders")
	void theEncodingOfTheOutboxIsTheOnlyOne(int others) {
		Headers headers = headers(Map.of("content-encoding", "of-an-application", Message.CONTENT_ENCODING, "gzip"),
				others);
		assertThat(values(headers, "content-encoding")).containsExactly("gzip");
		assertThat(headers).hasSize(5 + others);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x-message-id", "x-message-name", "content-type", "x-published-at" })
	void whatTheOutboxSetsIsThereOnce(String name) {
		assertThat(values(headers(Map.of(name, "of-an-application"), 5), name)).hasSize(1)
			.doesNotContain("of-an-application");
	}

	@Test
	void anEncodingOfTheApplicationStaysWhereTheOutboxHasDoneNothing() {
		assertThat(values(headers(Map.of("content-encoding", "br"), 0), "content-encoding")).containsExactly("br");
	}

	@Test
	void otherPropertiesOfAmqpAreNotSent() {
		assertThat(headers(Map.of(Message.PRIORITY, 3L), 0)).hasSize(4);
	}

	private static Headers headers(Map<String, Object> headers, int others) {
		Map<String, Object> all = new HashMap<>(headers);
		IntStream.range(0, others).forEach((i) -> all.put("header-" + i, "value"));
		Message message = new Message(UUID.randomUUID(), "order.placed", "a", new Destination("orders", ""),
				"application/json", new byte[0], all);
		return RecordFormat.record(new StoredMessage(1, message, Instant.EPOCH, Instant.EPOCH, 0, null, false))
			.headers();
	}

	private static Iterable<String> values(Headers headers, String name) {
		return StreamSupport.stream(headers.headers(name).spliterator(), false)
			.map((header) -> new String(header.value(), StandardCharsets.UTF_8))
			.toList();
	}

}
