/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.orderedoutbox.contract.PayloadTransformerContract;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The example of an encryption keeps the contract, and its keys can be changed.
 */
@Tag("unit")
class AesGcmTransformerTests extends PayloadTransformerContract {

	static final byte[] OLD = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.UTF_8);

	static final byte[] NEW = "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.UTF_8);

	private static final PayloadContext MESSAGE = new PayloadContext("1", "order.placed");

	@Override
	protected PayloadTransformer transformer() {
		return new AesGcmTransformer(Map.of("2026", OLD), "2026", UndoneBy.RELAY);
	}

	@Override
	protected PayloadTransformer withAnotherKey() {
		return new AesGcmTransformer(Map.of("2026", NEW), "2026", UndoneBy.RELAY);
	}

	@Override
	protected boolean isBoundToItsMessage() {
		return true;
	}

	@Test
	void theKeyCanBeChangedWhileThereAreRowsOfTheOldOne() {
		byte[] before = transformer().encode(payload(), MESSAGE);
		assertThat(before).isNotNull();
		PayloadTransformer rotated = new AesGcmTransformer(Map.of("2026", OLD, "2027", NEW), "2027", UndoneBy.RELAY);
		assertThat(rotated.decode(before, MESSAGE)).isEqualTo(payload());
		byte[] after = rotated.encode(payload(), MESSAGE);
		assertThat(after).isNotNull();
		assertThat(rotated.decode(after, MESSAGE)).isEqualTo(payload());
		assertThat(new String(after, StandardCharsets.ISO_8859_1)).startsWith("\u00042027");
		assertThatIllegalArgumentException().isThrownBy(() -> transformer().decode(after, MESSAGE))
			.withMessageContaining("no key '2027'");
	}

	@Test
	void eachByteIsAuthenticated() {
		byte[] encoded = transformer().encode("{}".getBytes(StandardCharsets.UTF_8), MESSAGE);
		assertThat(encoded).isNotNull();
		for (int i = 0; i < encoded.length; i++) {
			byte[] altered = encoded.clone();
			altered[i] ^= 1;
			assertThatException().as("byte %d", i).isThrownBy(() -> transformer().decode(altered, MESSAGE));
		}
	}

	@Test
	void theSamePayloadIsAnotherCiphertextEachTime() {
		assertThat(transformer().encode(payload(), MESSAGE)).isNotEqualTo(transformer().encode(payload(), MESSAGE));
	}

}
