/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The order of the chain, and what is not understood.
 */
@Tag("unit")
class PayloadTransformersTests {

	private static final PayloadContext MESSAGE = new PayloadContext("1", "order.placed");

	@Test
	void whatTheRelayUndoesIsDoneLast() {
		PayloadTransformers chain = chain(new Bracket("x", UndoneBy.RELAY), new Bracket("a", UndoneBy.CONSUMER),
				new Bracket("y", UndoneBy.RELAY), new Bracket("b", UndoneBy.CONSUMER));
		EncodedPayload encoded = encode(chain, "p");
		assertThat(text(encoded.body())).isEqualTo("y(x(b(a(p))))");
		assertThat(encoded.forConsumer()).isEqualTo("a, b");
		assertThat(encoded.forRelay()).isEqualTo("x, y");
		byte[] sent = chain.decode(encoded.body(), encoded.forRelay(), MESSAGE);
		assertThat(text(sent)).isEqualTo("b(a(p))");
		assertThat(text(chain.decode(sent, "a,b", MESSAGE))).isEqualTo("p");
	}

	@Test
	void oneThatHasChangedNothingIsNotNamed() {
		PayloadTransformers chain = chain(new Bracket("a", UndoneBy.CONSUMER),
				new GzipTransformer(DataSize.ofKilobytes(1), DataSize.ofMegabytes(1), UndoneBy.CONSUMER));
		assertThat(encode(chain, "p").forConsumer()).isEqualTo("a");
		assertThat(encode(chain, "p".repeat(2000)).forConsumer()).isEqualTo("a, gzip");
		assertThat(chain(new GzipTransformer(DataSize.ofKilobytes(1), DataSize.ofMegabytes(1), UndoneBy.CONSUMER))
			.encode(new byte[1], UUID.randomUUID(), "order.placed")).isNull();
	}

	@Test
	void whatIsNotStoredHasOnlyWhatAConsumerUndoes() {
		PayloadTransformers chain = chain(new Bracket("x", UndoneBy.RELAY), new Bracket("a", UndoneBy.CONSUMER));
		EncodedPayload encoded = chain.encodeForConsumer(bytes("p"), "1", "order.placed");
		assertThat(encoded).isNotNull();
		assertThat(text(encoded.body())).isEqualTo("a(p)");
		assertThat(encoded.headers(Map.of("h", "1"))).isEqualTo(Map.of("h", "1", "amqp:content-encoding", "a"));
	}

	@Test
	void aTransformerThatOnlyReadsChangesNothing() {
		PayloadTransformers chain = new PayloadTransformers(List.of(), List.of(new Bracket("a", UndoneBy.CONSUMER)));
		assertThat(chain.encode(bytes("p"), "1", "order.placed")).isNull();
		assertThat(text(chain.decode(bytes("a(p)"), "a", MESSAGE))).isEqualTo("p");
	}

	@Test
	void aNameThatStandsForNothingIsAnError() {
		PayloadTransformers chain = chain(new Bracket("a", UndoneBy.CONSUMER));
		assertThat(chain.know("a")).isTrue();
		assertThat(chain.know("a, z")).isFalse();
		assertThat(chain.know("UTF-8")).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> chain.decode(bytes("p"), "a, z", MESSAGE))
			.withMessageContaining("'z'")
			.withMessageContaining("declare the PayloadTransformer bean");
	}

	@Test
	void whatATransformerThrowsIsSaidWithItsName() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> chain(new Bracket("a", UndoneBy.RELAY)).decode(bytes("b(p)"), "a", MESSAGE))
			.withMessageContaining("'a' cannot be undone")
			.withMessageContaining("no brackets of mine");
		assertThatExceptionOfType(PayloadUnavailableException.class)
			.isThrownBy(() -> chain(new Bracket("a", UndoneBy.RELAY)).decode(bytes("away"), "a", MESSAGE));
	}

	@Test
	void namesAreDifferentAndOneWord() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> chain(new Bracket("a", UndoneBy.RELAY), new Bracket("a", UndoneBy.CONSUMER)))
			.withMessageContaining("Two payload transformers are called 'a'");
		for (String name : List.of("", "A", "a,b", "a b", "-", "x".repeat(51))) {
			assertThatIllegalArgumentException().isThrownBy(() -> chain(new Bracket(name, UndoneBy.RELAY)))
				.withMessageContaining("its name needs");
		}
	}

	private static PayloadTransformers chain(PayloadTransformer... transformers) {
		return new PayloadTransformers(List.of(transformers), List.of());
	}

	private static EncodedPayload encode(PayloadTransformers chain, String payload) {
		EncodedPayload encoded = chain.encode(bytes(payload), "1", "order.placed");
		assertThat(encoded).isNotNull();
		return encoded;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private record Bracket(String encoding, UndoneBy undoneBy) implements PayloadTransformer {

		@Override
		public byte @Nullable [] encode(byte[] payload, PayloadContext context) {
			return bytes("%s(%s)".formatted(this.encoding, text(payload)));
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			String body = text(payload);
			if (body.equals("away")) {
				throw new PayloadUnavailableException("away", null);
			}
			if (!body.startsWith(this.encoding + "(")) {
				throw new IllegalStateException("no brackets of mine");
			}
			return bytes(body.substring(this.encoding.length() + 1, body.length() - 1));
		}

	}

}
