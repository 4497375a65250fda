/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;

import io.orderedoutbox.publish.Payload;
import io.orderedoutbox.publish.PayloadSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a {@link PayloadSerializer} has to keep.
 */
public abstract class PayloadSerializerContract {

	/**
	 * Return the serializer.
	 * @return the serializer, a new one for each call
	 */
	protected abstract PayloadSerializer serializer();

	/**
	 * Return an event.
	 * @param number what the event differs in from others
	 * @return the event, equal to another one with this number
	 */
	protected abstract Object event(int number);

	/**
	 * Read a payload, as a consumer would.
	 * @param payload the payload of an event
	 * @return an object that is equal to that event
	 */
	protected abstract Object read(Payload payload);

	/**
	 * Return the content type that payloads have.
	 * @return the content type
	 */
	protected abstract String contentType();

	/**
	 * Return an event that cannot be serialised.
	 * @return the event, or {@code null} if each can
	 */
	protected @Nullable Object unserializable() {
		return null;
	}

	@Test
	void aConsumerReadsTheEventThatWasPublished() {
		assertThat(read(serializer().serialize(event(1)))).isEqualTo(event(1)).isNotEqualTo(event(2));
	}

	@Test
	void itSaysWhatItHasWritten() {
		Payload payload = serializer().serialize(event(1));
		assertThat(payload.contentType()).isEqualTo(contentType());
		assertThat(payload.body()).isNotEmpty();
	}

	@Test
	void noClassNameLeavesTheApplication() {
		Payload payload = serializer().serialize(event(1));
		assertThat(new String(payload.body(), StandardCharsets.ISO_8859_1) + payload.contentType())
			.doesNotContain(event(1).getClass().getName());
	}

	@Test
	void anEventHasTheSamePayloadEachTime() {
		PayloadSerializer serializer = serializer();
		byte[] first = serializer.serialize(event(1)).body();
		assertThat(serializer.serialize(event(1)).body()).isEqualTo(first);
		assertThat(serializer().serialize(event(1)).body()).isEqualTo(first);
	}

	@Test
	void itDoesNotTouchAnArrayAgainThatItHasHandedOver() {
		PayloadSerializer serializer = serializer();
		Payload handedOver = serializer.serialize(event(1));
		byte[] copy = handedOver.body().clone();
		Payload next = serializer.serialize(event(2));
		assertThat(handedOver.body()).isEqualTo(copy).isNotSameAs(next.body());
		Arrays.fill(handedOver.body(), (byte) 0);
		assertThat(serializer.serialize(event(1)).body()).isEqualTo(copy);
	}

	@Test
	void whatCannotBeSerialisedIsRefused() {
		Object event = unserializable();
		if (event != null) {
			assertThatException().isThrownBy(() -> serializer().serialize(event));
		}
	}

	@Test
	void severalThreadsUseItAtTheSameTime() {
		PayloadSerializer serializer = serializer();
		assertThat(IntStream.range(0, 500)
			.parallel()
			.filter((number) -> !event(number).equals(read(serializer.serialize(event(number)))))).isEmpty();
	}

}
