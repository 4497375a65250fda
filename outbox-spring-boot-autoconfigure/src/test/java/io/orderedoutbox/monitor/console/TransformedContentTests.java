/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

import io.orderedoutbox.admin.JsonLines;
import io.orderedoutbox.admin.MessageContent;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.payload.GzipTransformer;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What operators see of payloads that transformers have changed.
 */
@Tag("unit")
class TransformedContentTests {

	private static final Map<String, Object> GZIP = Map.of("amqp:content-encoding", "gzip");

	private static final MessageSummary SUMMARY = new MessageSummary("1", "order.placed", "a", "shop", "order.placed",
			0, null, Instant.EPOCH, MessageState.ARCHIVED, Instant.EPOCH, null, null, 0);

	private static final String TEXT = "{\"text\":\"%s\"}".formatted("ä".repeat(100));

	@Test
	void whatIsCompressedIsShownAsItWas() {
		byte[] stored = gzip(TEXT);
		ContentDescriptor shown = ContentDescriptor.shown(content(GZIP, stored, stored.length));
		assertThat(shown.payload()).isEqualTo(TEXT);
		assertThat(shown.encoding()).isEqualTo("utf-8");
		assertThat(shown.truncated()).isFalse();
		assertThat(shown.payloadSize()).isEqualTo(stored.length);
		assertThat(shown.headers()).isEqualTo(GZIP);
		JsonNode line = exported(content(Map.of("outbox:encoding", "gzip"), stored, stored.length));
		assertThat(line.path("payload").asString()).isEqualTo(TEXT);
		assertThat(line.path("payloadEncodings").asString()).isEqualTo("gzip");
	}

	@Test
	void ofALargePayloadTheBeginningIsShown() {
		byte[] stored = gzip("x".repeat(1_000_000));
		ContentDescriptor shown = ContentDescriptor.shown(content(GZIP, stored, stored.length));
		assertThat(shown.payload()).isEqualTo("x".repeat(ContentDescriptor.MAX_PAYLOAD));
		assertThat(shown.truncated()).isTrue();
		StringBuilder random = new StringBuilder();
		new Random(42).ints(200_000, 'a', 'z').forEach((letter) -> random.append((char) letter));
		byte[] large = gzip(random.toString());
		ContentDescriptor beginning = ContentDescriptor
			.shown(content(GZIP, Arrays.copyOf(large, ContentDescriptor.MAX_PAYLOAD), large.length));
		assertThat(random.toString()).startsWith(beginning.payload());
		assertThat(beginning.payload()).hasSize(ContentDescriptor.MAX_PAYLOAD);
		assertThat(beginning.truncated()).isTrue();
	}

	@Test
	void whatIsEncryptedIsNotShownAndExportedAsItIsStored() {
		byte[] stored = { 1, (byte) 0xff };
		Map<String, Object> headers = Map.of("amqp:content-encoding", "gzip", "outbox:encoding", "aes-gcm");
		ContentDescriptor shown = ContentDescriptor.shown(content(headers, stored, 2));
		assertThat(shown.payload()).isEqualTo("(gzip, aes-gcm: not shown)");
		assertThat(shown.encoding()).isEqualTo("encoded");
		JsonNode line = exported(content(headers, stored, 2));
		assertThat(line.path("payloadBase64").asString()).isEqualTo("Af8=");
		assertThat(line.path("payloadEncodings").asString()).isEqualTo("gzip, aes-gcm");
	}

	@Test
	void whatIsDamagedIsShownAsDamaged() {
		byte[] stored = { 1, 2, (byte) 0xff };
		assertThat(ContentDescriptor.shown(content(GZIP, stored, 3)).payload()).isEqualTo("(gzip: not shown)");
		assertThat(exported(content(GZIP, stored, 3)).path("payloadBase64").asString()).isEqualTo("AQL/");
		byte[] cut = Arrays.copyOf(gzip(TEXT), 30);
		assertThat(exported(content(GZIP, cut, 30)).has("payloadBase64")).isTrue();
	}

	@Test
	void aReferenceIsShownAsItsId() {
		ContentDescriptor shown = ContentDescriptor
			.shown(content(Map.of(), "id-7".getBytes(StandardCharsets.UTF_8), 4));
		assertThat(shown.payload()).isEqualTo("id-7");
	}

	private static byte[] gzip(String text) {
		return new GzipTransformer(DataSize.ofBytes(0), DataSize.ofMegabytes(8), UndoneBy.CONSUMER)
			.encode(text.getBytes(StandardCharsets.UTF_8), new PayloadContext("1", "order.placed"));
	}

	private static JsonNode exported(MessageContent content) {
		StringWriter writer = new StringWriter();
		new JsonLines(writer).accept(content);
		return JsonMapper.shared().readTree(writer.toString());
	}

	private static MessageContent content(Map<String, Object> headers, byte[] payload, long size) {
		return new MessageContent(SUMMARY, "application/json", headers, payload, size);
	}

}
