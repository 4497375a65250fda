/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.load;

import java.nio.charset.StandardCharsets;

import io.orderedoutbox.benchmark.application.AccountChanged;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Tag("unit")
class PayloadsTests {

	@ParameterizedTest
	@ValueSource(ints = { 100, 400, 4096 })
	void aPayloadIsJsonOfTheWantedSize(int bytes) {
		byte[] payload = new Payloads(bytes).of(12_345);
		assertThat(payload).hasSize(bytes);
		assertThat(JsonMapper.shared().readTree(payload).get("number").asLong()).isEqualTo(12_345);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 7, 99_999, 9_999_999_999L })
	void aNumberIsFoundAgain(long number) {
		assertThat(Payloads.number(new Payloads(100).of(number))).isEqualTo(number);
	}

	@Test
	void theNumberOfAnEventIsFoundAgain() {
		byte[] event = JsonMapper.shared().writeValueAsBytes(AccountChanged.of(42, 7, new Payloads(400)));
		assertThat(Payloads.number(event)).isEqualTo(42);
		assertThat(event.length).isBetween(380, 400);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"account\":1,\"number\":2}" })
	void whatHasNoNumberIsRefused(String payload) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> Payloads.number(payload.getBytes(StandardCharsets.US_ASCII)))
			.withMessage("A payload has no number");
	}

}
