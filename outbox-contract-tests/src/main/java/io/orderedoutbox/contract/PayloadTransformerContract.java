/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.payload.PayloadTransformers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a {@link PayloadTransformer} has to keep.
 */
public abstract class PayloadTransformerContract {

	private static final PayloadContext MESSAGE = new PayloadContext("0198a9d2-0000-7000-8000-000000000001",
			"order.placed");

	private static final int LARGE = 1_000_000;

	/**
	 * Return the transformer. Whatever it needs, such as a storage, outlives it.
	 * @return the transformer, a new one for each call
	 */
	protected abstract PayloadTransformer transformer();

	/**
	 * Return a payload that the transformer changes.
	 * @return the payload
	 */
	protected byte[] payload() {
		return "{\"orderId\":\"a\",\"text\":\"%s\"}".formatted("x".repeat(4000)).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return a transformer with the same name that must not be able to undo what the
	 * transformer has done.
	 * @return for example one with another key, or {@code null} if there is no such
	 * transformer
	 */
	protected @Nullable PayloadTransformer withAnotherKey() {
		return null;
	}

	/**
	 * Return whether a payload belongs to its message, so that it cannot be taken for
	 * that of another.
	 * @return {@code true} if a payload with the context of another message is refused
	 */
	protected boolean isBoundToItsMessage() {
		return false;
	}

	private byte[] encoded() {
		return encoded(transformer(), payload());
	}

	private static byte[] encoded(PayloadTransformer transformer, byte[] payload) {
		return Objects.requireNonNull(transformer.encode(payload, MESSAGE),
				"payload() has to be one that the transformer changes");
	}

	private byte[] decoded(byte[] payload) {
		PayloadTransformer transformer = transformer();
		byte[] encoded = transformer.encode(payload, MESSAGE);
		return (encoded != null) ? transformer.decode(encoded, MESSAGE) : payload;
	}

	@Test
	void whatItHasDoneCanBeUndone() {
		byte[] payload = payload();
		byte[] encoded = encoded();
		assertThat(encoded).isNotSameAs(payload);
		assertThat(transformer().decode(encoded, MESSAGE)).isEqualTo(payload);
	}

	@Test
	void itCanDoItAgainAndAgain() {
		PayloadTransformer transformer = transformer();
		for (int i = 0; i < 3; i++) {
			byte[] encoded = encoded(transformer, payload());
			assertThat(transformer.decode(encoded, MESSAGE)).isEqualTo(payload());
			assertThat(transformer.decode(encoded, MESSAGE)).isEqualTo(payload());
		}
	}

	@Test
	void aPayloadMayBeEmptyAndOfAnyBytes() {
		byte[] bytes = new byte[256];
		IntStream.range(0, bytes.length).forEach((i) -> bytes[i] = (byte) i);
		assertThat(decoded(new byte[0])).isEmpty();
		assertThat(decoded(new byte[] { 0 })).containsExactly(0);
		assertThat(decoded(bytes)).isEqualTo(bytes);
	}

	@Test
	void aPayloadMayBeLargeAndHardToCompress() {
		byte[] large = new byte[LARGE];
		assertThat(decoded(large)).isEqualTo(large);
		new Random(42).nextBytes(large);
		assertThat(decoded(large)).isEqualTo(large);
	}

	@Test
	void itDoesNotTouchTheArraysThatItIsGiven() {
		PayloadTransformer transformer = transformer();
		byte[] payload = payload();
		byte[] encoded = encoded(transformer, payload);
		assertThat(payload).isEqualTo(payload());
		byte[] copy = encoded.clone();
		transformer.decode(encoded, MESSAGE);
		assertThat(encoded).isEqualTo(copy);
	}

	@Test
	void itsNameAndWhoUndoesItStayTheSame() {
		assertThat(transformer().encoding()).matches("[a-z0-9][a-z0-9.-]{0,49}").isEqualTo(transformer().encoding());
		assertThat(transformer().undoneBy()).isNotNull().isEqualTo(transformer().undoneBy());
	}

	@Test
	void whatIsCutOffIsRefused() {
		byte[] encoded = encoded();
		for (int length : new int[] { 0, 1, encoded.length / 2, encoded.length - 1 }) {
			assertThatException().as("the first %d of %d bytes", length, encoded.length)
				.isThrownBy(() -> transformer().decode(Arrays.copyOf(encoded, length), MESSAGE));
		}
	}

	@Test
	void whatIsNoPayloadOfItsIsRefused() {
		assertThatException().isThrownBy(() -> transformer().decode(payload(), MESSAGE));
	}

	@Test
	void anotherKeyDoesNotUndoIt() {
		PayloadTransformer other = withAnotherKey();
		if (other != null) {
			assertThat(other.encoding()).isEqualTo(transformer().encoding());
			byte[] encoded = encoded();
			assertThatException().isThrownBy(() -> other.decode(encoded, MESSAGE));
		}
	}

	@Test
	void thePayloadOfAnotherMessageIsRefused() {
		if (isBoundToItsMessage()) {
			byte[] encoded = encoded();
			assertThatException().isThrownBy(() -> transformer().decode(encoded,
					new PayloadContext("0198a9d2-0000-7000-8000-000000000002", MESSAGE.name())));
			assertThatException().isThrownBy(
					() -> transformer().decode(encoded, new PayloadContext(MESSAGE.messageId(), "order.cancelled")));
		}
	}

	@Test
	void itHasItsPlaceInAChain() {
		PayloadTransformer transformer = transformer();
		PayloadTransformers chain = new PayloadTransformers(List.of(new Marking("first", transformer.undoneBy()),
				transformer, new Marking("last", transformer.undoneBy())), List.of());
		EncodedPayload encoded = Objects.requireNonNull(chain.encode(payload(), MESSAGE.messageId(), MESSAGE.name()));
		String names = (transformer.undoneBy() == UndoneBy.CONSUMER) ? encoded.forConsumer() : encoded.forRelay();
		assertThat(names).isEqualTo("first, %s, last", transformer.encoding());
		assertThat(chain.decode(encoded.body(), names, MESSAGE)).isEqualTo(payload());
	}

	@Test
	void severalThreadsUseItAtTheSameTime() {
		PayloadTransformer transformer = transformer();
		List<byte[]> payloads = new ArrayList<>();
		for (int i = 0; i < 64; i++) {
			byte[] payload = payload();
			payload[payload.length - 1] = (byte) i;
			payloads.add(payload);
		}
		assertThat(payloads.parallelStream().filter((payload) -> {
			byte[] encoded = transformer.encode(payload, MESSAGE);
			return encoded == null || !Arrays.equals(payload, transformer.decode(encoded, MESSAGE));
		})).isEmpty();
	}

	/**
	 * Puts its name before a payload, and insists on finding it there.
	 */
	private record Marking(String encoding, UndoneBy undoneBy) implements PayloadTransformer {

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			byte[] mark = this.encoding.getBytes(StandardCharsets.UTF_8);
			byte[] marked = Arrays.copyOf(mark, mark.length + payload.length);
			System.arraycopy(payload, 0, marked, mark.length, payload.length);
			return marked;
		}

		@Override
		public byte[] decode(byte[] payload, PayloadContext context) {
			byte[] mark = this.encoding.getBytes(StandardCharsets.UTF_8);
			if (!Arrays.equals(mark, Arrays.copyOf(payload, mark.length))) {
				throw new IllegalArgumentException("'%s' was not the last in the chain".formatted(this.encoding));
			}
			return Arrays.copyOfRange(payload, mark.length, payload.length);
		}

	}

}
