/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link PayloadDecoder}.
 */
@Tag("unit")
class PayloadDecoderTests {

	private static final PayloadTransformers CHAIN = new PayloadTransformers(List.of(), List.of(new Shortening()));

	@ParameterizedTest
	@ValueSource(strings = { "utf-8", "UTF-8", "ISO-8859-1", "identity", "" })
	void aCharacterSetIsLeftAlone(String encodings) {
		StoredMessage message = message(EncodedPayload.CONSUMER_HEADER, encodings);
		assertThat(PayloadDecoder.ofConsumers(CHAIN).apply(message)).isSameAs(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "shorter, utf-8", "utf-8, shorter", "aes", "aes, shorter" })
	void whatIsNotUnderstoodIsNotHandedOver(String encodings) {
		StoredMessage message = message(EncodedPayload.CONSUMER_HEADER, encodings);
		assertThatIllegalArgumentException().isThrownBy(() -> PayloadDecoder.ofConsumers(CHAIN).apply(message))
			.withMessageContaining("declare the PayloadTransformer bean");
	}

	@Test
	void soItIsWhereNothingCanBeUndone() {
		StoredMessage message = message(EncodedPayload.CONSUMER_HEADER, "utf-8");
		assertThat(PayloadDecoder.ofConsumers(PayloadTransformers.NONE).apply(message)).isSameAs(message);
	}

	@Test
	void whatTransformersHaveDoneIsUndone() {
		StoredMessage decoded = PayloadDecoder.ofConsumers(CHAIN)
			.apply(message(EncodedPayload.CONSUMER_HEADER, "shorter, shorter"));
		assertThat(new String(decoded.message().payload(), StandardCharsets.UTF_8)).isEqualTo("payload++");
		assertThat(decoded.message().headers()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "utf-8", "shorter, utf-8", "aes" })
	void theRelaySendsNothingThatItDoesNotUnderstand(String encodings) {
		StoredMessage message = message(EncodedPayload.RELAY_HEADER, encodings);
		assertThatIllegalArgumentException().isThrownBy(() -> PayloadDecoder.ofRelay(CHAIN).apply(message))
			.withMessageContaining("declare the PayloadTransformer bean");
	}

	private static StoredMessage message(String header, String value) {
		return new StoredMessage(1,
				new Message(UUID.randomUUID(), "order.placed", "a", new Destination("shop", "order.placed"),
						"text/plain", "payload".getBytes(StandardCharsets.UTF_8), Map.of(header, value)),
				Instant.now(), 0, null);
	}

	/**
	 * Its undoing adds a character.
	 */
	private static final class Shortening implements PayloadTransformer {

		@Override
		public String encoding() {
			return "shorter";
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			throw new IllegalStateException("Nothing is written here");
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			return (new String(payload, StandardCharsets.UTF_8) + "+").getBytes(StandardCharsets.UTF_8);
		}

	}

}
