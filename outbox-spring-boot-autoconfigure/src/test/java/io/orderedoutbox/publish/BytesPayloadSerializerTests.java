/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.nio.charset.StandardCharsets;

import io.orderedoutbox.contract.PayloadSerializerContract;
import io.orderedoutbox.testing.OrderPlaced;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bytes and texts are passed on as they are, and all else goes to another serializer.
 */
@Tag("unit")
class BytesPayloadSerializerTests extends PayloadSerializerContract {

	@Override
	protected PayloadSerializer serializer() {
		return new BytesPayloadSerializer(new JsonPayloadSerializer(JsonMapper.shared()));
	}

	@Override
	protected Object event(int number) {
		return "order ä " + number;
	}

	@Override
	protected Object read(Payload payload) {
		return new String(payload.body(), StandardCharsets.UTF_8);
	}

	@Override
	protected String contentType() {
		return "text/plain;charset=UTF-8";
	}

	@Test
	void bytesAreStoredAsTheyWereWhenTheyWerePublished() {
		byte[] event = { 1, 2, (byte) 0xff };
		Payload payload = serializer().serialize(event);
		event[0] = 7;
		assertThat(payload.body()).containsExactly(1, 2, 0xff);
		assertThat(payload.contentType()).isEqualTo("application/octet-stream");
	}

	@Test
	void allElseGoesToTheOtherSerializer() {
		Payload payload = serializer().serialize(new OrderPlaced("a", 1));
		assertThat(new String(payload.body(), StandardCharsets.UTF_8)).isEqualTo("{\"orderId\":\"a\",\"version\":1}");
		assertThat(payload.contentType()).isEqualTo("application/json");
	}

}
