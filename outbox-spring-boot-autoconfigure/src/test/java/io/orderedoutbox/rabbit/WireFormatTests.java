/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.rabbitmq.client.AMQP;
import io.orderedoutbox.Destination;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bytes before a body, and the headers that an application asks for.
 */
@Tag("unit")
class WireFormatTests {

	private static final UUID ID = UUID.fromString("0193b1c6-7d5e-7a44-8a51-3f2f6e1d9c01");

	private static final Instant PUBLISHED_AT = Instant.parse("2026-11-27T05:00:00.123456Z");

	private static final Partitions PARTITIONS = new Partitions();

	// What the format was before anything in it was optional
	private static final String PLAIN = """
			02000100000094003c0000000000000000000ab0e0106170706c69636174696f6e2f6a736f6e000000360c782d6d6573736167652d6964\
			530000002430313933623163362d376435652d376134342d386135312d3366326636653164396330310224303139336231\
			63362d376435652d376134342d386135312d336632663665316439633031000000006b090e500c6f726465722e706c61636564ce""";

	private static final String WITH_HEADERS = """
			020001000000b9003c0000000000000000000ab0e0106170706c69636174696f6e2f6a736f6e0000005b08782d6f726967696e53000000\
			075ac3bc726963680674656e616e745300000004626c75650c782d6d6573736167652d6964530000002430313933623163362d376435\
			652d376134342d386135312d336632663665316439633031022430313933623163362d376435652d376134342d386135312d33663266\
			3665316439633031000000006b090e500c6f726465722e706c61636564ce""";

	@Test
	void defaultIsWhatItAlwaysWasByteForByte() throws IOException {
		assertThat(bytes(OptionalHeaders.NONE, Map.of())).isEqualTo(PLAIN);
		assertThat(bytes(OptionalHeaders.NONE, Map.of("tenant", "blue", "x-origin", "Zürich"))).isEqualTo(WITH_HEADERS);
	}

	@Test
	void theExampleOfTheDocumentationIsWhatIsSent() throws IOException {
		AMQP.BasicProperties sent = properties(OptionalHeaders.NONE, "key", Map.of());
		String example = Pattern.compile("```text\n(.*?)```", Pattern.DOTALL)
			.matcher(Files.readString(Path.of("../docs/wire-format.md")))
			.results()
			.map((block) -> block.group(1))
			.findFirst()
			.orElseThrow();
		Map<String, String> lines = Pattern.compile("(?m)^(\\w+) {2,}(.*)$")
			.matcher(example)
			.results()
			.collect(Collectors.toMap((line) -> line.group(1), (line) -> line.group(2)));
		assertThat(lines).containsOnly(Map.entry("exchange", "shop"), Map.entry("content_type", sent.getContentType()),
				Map.entry("delivery_mode", sent.getDeliveryMode().toString()),
				Map.entry("message_id", sent.getMessageId()),
				Map.entry("timestamp", String.valueOf(sent.getTimestamp().toInstant().getEpochSecond())),
				Map.entry("type", sent.getType()), Map.entry("headers", "x-message-id: " + sent.getMessageId()));
		assertThat(sent.getHeaders()).isEqualTo(Map.of("x-message-id", sent.getMessageId()));
	}

	private static String bytes(OptionalHeaders optional, Map<String, Object> headers) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		properties(optional, "key", headers).toFrame(1, 10).writeTo(new DataOutputStream(bytes));
		return HexFormat.of().formatHex(bytes.toByteArray());
	}

	@Test
	void headersThatAreAskedForAreNumbersOf64BitsAndText() {
		OptionalHeaders all = new OptionalHeaders(true, true, true, true);
		assertThat(properties(all, "key", Map.of()).getHeaders())
			.isEqualTo(Map.of("x-message-id", ID.toString(), "x-partition", (long) PARTITIONS.of("key"),
					"x-partition-key", "key", "x-position", 7L, "x-published-at", 1_795_755_600_123_456L));
	}

	@Test
	void headersAreAddedOneByOne() {
		assertThat(headers(new OptionalHeaders(true, false, false, false))).containsOnlyKeys("x-message-id",
				"x-partition");
		assertThat(headers(new OptionalHeaders(false, true, false, false))).containsOnlyKeys("x-message-id",
				"x-partition-key");
		assertThat(headers(new OptionalHeaders(false, false, true, false))).containsOnlyKeys("x-message-id",
				"x-position");
		assertThat(headers(new OptionalHeaders(false, false, false, true))).containsOnlyKeys("x-message-id",
				"x-published-at");
	}

	private static Map<String, Object> headers(OptionalHeaders optional) {
		return properties(optional, "key", Map.of()).getHeaders();
	}

	@Test
	void messageWithoutAKeyHasThePartitionOfItsIdAndNoKey() {
		OptionalHeaders both = new OptionalHeaders(true, true, false, false);
		assertThat(properties(both, "", Map.of()).getHeaders()).isEqualTo(Map.of("x-message-id", ID.toString(),
				"x-partition", (long) Partitions.crc32(ID.toString(), Partitions.DEFAULT_COUNT)));
	}

	@Test
	void propertiesAreNoHeaders() {
		AMQP.BasicProperties properties = properties(OptionalHeaders.NONE, "key", Map.of(Message.PRIORITY, 5L,
				Message.EXPIRATION, "2000", Message.APP_ID, "shop", Message.CORRELATION_ID, "c", "tenant", 17L));
		assertThat(properties.getPriority()).isEqualTo(5);
		assertThat(properties.getExpiration()).isEqualTo("2000");
		assertThat(properties.getAppId()).isEqualTo("shop");
		assertThat(properties.getCorrelationId()).isEqualTo("c");
		assertThat(properties.getHeaders()).isEqualTo(Map.of("x-message-id", ID.toString(), "tenant", 17L));
	}

	@Test
	void whatOnlyLooksLikeAPropertyIsAHeader() {
		Map<String, Object> odd = Map.of("amqp:other", "x", Message.PRIORITY, "high", Message.EXPIRATION, 5L);
		AMQP.BasicProperties properties = properties(OptionalHeaders.NONE, "key", odd);
		assertThat(properties.getHeaders()).containsAllEntriesOf(odd);
		assertThat(properties.getPriority()).isNull();
		assertThat(properties.getExpiration()).isNull();
	}

	private static AMQP.BasicProperties properties(OptionalHeaders optional, String key, Map<String, Object> headers) {
		Message message = new Message(ID, "order.placed", key, new Destination("shop", "order.placed"),
				"application/json", new byte[10], headers);
		return new WireFormat(optional, (one) -> PARTITIONS.of(one.partitionKey(), one.messageId()))
			.properties(new StoredMessage(7, message, PUBLISHED_AT, 0, null));
	}

}
