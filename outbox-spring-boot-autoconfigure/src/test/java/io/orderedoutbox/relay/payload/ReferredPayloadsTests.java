/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.LoadedPayload;
import io.orderedoutbox.payload.PayloadContext;
import io.orderedoutbox.payload.PayloadReference;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Defect;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.RemoteTransformer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Payloads that were loaded, and that a transformer has to change for consumers.
 */
@Tag("unit")
class ReferredPayloadsTests {

	private static final int MESSAGES = 5;

	private final AwayTransformer transformer = new AwayTransformer();

	@Test
	void aTransformerThatIsAwayAndSaysSoAtOnceIsAskedForEachMessage() {
		assertThat(defects()).hasSize(MESSAGES).allMatch(Defect::passing);
		assertThat(this.transformer.questions).hasValue(MESSAGES);
	}

	@Test
	void oneThatTakesLongToSaySoIsAskedOnceForAClaim() {
		this.transformer.takes = Duration.ofMillis(300);
		assertThat(defects()).hasSize(MESSAGES).allMatch(Defect::passing);
		assertThat(this.transformer.questions).hasValue(1);
		assertThat(defects()).hasSize(MESSAGES);
		assertThat(this.transformer.questions).as("with that of the next claim").hasValue(2);
	}

	private List<Defect> defects() {
		Claim claim = new StandingClaim(
				LongStream.rangeClosed(1, MESSAGES).mapToObj((id) -> new KeySequence(List.of(reference(id)))).toList());
		RelayStore store = () -> () -> claim;
		PayloadTransformers transformers = new PayloadTransformers(List.of(this.transformer), List.of());
		Claim loaded = new ReferredPayloads(ReferredPayloadsTests::load, transformers).around(store).claims().next();
		return loaded.sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.map(StoredMessage::defect)
			.toList();
	}

	private static Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references) {
		return references.stream()
			.collect(Collectors.toMap((reference) -> reference,
					(reference) -> new LoadedPayload(new byte[0], "text/plain")));
	}

	private static StoredMessage reference(long id) {
		Message message = new Message(new UUID(0, id), "order.placed", "", new Destination("shop", "x"),
				PayloadReference.CONTENT_TYPE, String.valueOf(id).getBytes(StandardCharsets.UTF_8), Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, null);
	}

	/**
	 * Asks its server for what it does to a payload.
	 */
	private static final class AwayTransformer extends RemoteTransformer {

		AwayTransformer() {
			super(UndoneBy.CONSUMER);
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			return decode(payload, context);
		}

	}

}
