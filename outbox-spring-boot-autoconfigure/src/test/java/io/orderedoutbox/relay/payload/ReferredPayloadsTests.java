/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

	private final Map<String, Integer> sizes = new HashMap<>();

	@Test
	void aTransformerThatIsAwayAndSaysSoAtOnceIsAskedForEachMessage() {
		assertThat(defects(ofOneKeyEach(MESSAGES))).hasSize(MESSAGES).allMatch(Defect::passing);
		assertThat(this.transformer.questions).hasValue(MESSAGES);
	}

	@Test
	void oneThatTakesLongToSaySoIsAskedOnceForAClaim() {
		this.transformer.takes = Duration.ofMillis(300);
		List<KeySequence> claimed = ofOneKeyEach(MESSAGES);
		assertThat(defects(claimed)).hasSize(MESSAGES).allMatch(Defect::passing);
		assertThat(this.transformer.questions).hasValue(1);
		assertThat(defects(claimed)).hasSize(MESSAGES);
		assertThat(this.transformer.questions).as("with that of the next claim").hasValue(2);
	}

	@Test
	void oneThatTakesLongForManyMessagesTogetherIsNotAskedForTheOthers() {
		this.transformer.takes = Duration.ofMillis(60);
		assertThat(defects(ofOneKeyEach(20))).hasSize(20).allMatch(Defect::passing);
		assertThat(this.transformer.questions.get()).isLessThanOrEqualTo(4);
	}

	@Test
	void oneThatTakesLongIsAskedForWhatItMayLeaveAsItIs() {
		this.transformer.takes = Duration.ofMillis(300);
		this.transformer.minSize = 1000;
		this.sizes.putAll(Map.of("1", 2000, "2", 2010, "3", 10, "5", 0));
		assertThat(defects(ofOneKeyEach(MESSAGES))).extracting(Objects::nonNull)
			.containsExactly(true, true, false, false, false);
		assertThat(this.transformer.questions).hasValue(1);
	}

	@Test
	void oneThatTakesLongIsAskedForMessagesOfAnotherName() {
		this.transformer.takes = Duration.ofMillis(300);
		this.transformer.only = "order.placed";
		assertThat(defects(List.of(key(reference(1)), key(reference(2, "order.billed")), key(reference(3)))))
			.extracting(Objects::nonNull)
			.containsExactly(true, false, true);
		assertThat(this.transformer.questions).hasValue(1);
	}

	@Test
	void whatIsNotTransformedInTimeIsLeftForAnotherClaimAndSoIsWhatFollowsIt() {
		this.transformer.isAway = false;
		this.transformer.takes = Duration.ofMillis(10);
		List<KeySequence> claimed = List.of(key(reference(1), plain(2), reference(3), plain(4)),
				key(plain(11), reference(12), plain(13)), key(reference(21)), key(plain(31), plain(32)));
		assertThat(loaded(Duration.ofNanos(1), claimed)).containsExactly(List.of(1L, 2L), List.of(11L),
				List.of(31L, 32L));
		assertThat(this.transformer.questions).hasValue(1);
	}

	@Test
	void theFirstMessageOfEachKeyComesBeforeTheSecondOfAny() {
		this.transformer.isAway = false;
		this.transformer.takes = Duration.ofMillis(300);
		List<KeySequence> claimed = List.of(key(reference(1), reference(2)), key(reference(11), reference(12)));
		assertThat(loaded(Duration.ofMillis(500), claimed)).containsExactly(List.of(1L), List.of(11L));
	}

	@Test
	void aTransformerThatTakesLongToFailUsesUpTheTimeToo() {
		this.transformer.takes = Duration.ofMillis(10);
		assertThat(loaded(Duration.ofNanos(1), ofOneKeyEach(MESSAGES))).containsExactly(List.of(1L));
	}

	private List<Defect> defects(List<KeySequence> claimed) {
		return claim(Duration.ofMinutes(1), claimed).sequences()
			.stream()
			.flatMap((sequence) -> sequence.messages().stream())
			.map(StoredMessage::defect)
			.toList();
	}

	private List<List<Long>> loaded(Duration limit, List<KeySequence> claimed) {
		return claim(limit, claimed).sequences()
			.stream()
			.map((sequence) -> sequence.messages().stream().map(StoredMessage::id).toList())
			.toList();
	}

	private Claim claim(Duration limit, List<KeySequence> claimed) {
		RelayStore store = () -> () -> new StandingClaim(claimed);
		PayloadTransformers transformers = new PayloadTransformers(List.of(this.transformer), List.of());
		return new ReferredPayloads(this::load, transformers, limit).around(store).claims().next();
	}

	private Map<PayloadReference, LoadedPayload> load(Collection<PayloadReference> references) {
		return references.stream()
			.collect(Collectors.toMap((reference) -> reference,
					(reference) -> new LoadedPayload(new byte[this.sizes.getOrDefault(reference.id(), 0)],
							"text/plain")));
	}

	private static List<KeySequence> ofOneKeyEach(int messages) {
		return LongStream.rangeClosed(1, messages).mapToObj((id) -> key(reference(id))).toList();
	}

	private static KeySequence key(StoredMessage... messages) {
		return new KeySequence(List.of(messages));
	}

	private static StoredMessage reference(long id) {
		return reference(id, "order.placed");
	}

	private static StoredMessage reference(long id, String name) {
		return message(id, name, PayloadReference.CONTENT_TYPE);
	}

	private static StoredMessage plain(long id) {
		return message(id, "order.placed", "text/plain");
	}

	private static StoredMessage message(long id, String name, String contentType) {
		Message message = new Message(new UUID(0, id), name, "", new Destination("shop", "x"), contentType,
				String.valueOf(id).getBytes(StandardCharsets.UTF_8), Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, null);
	}

	/**
	 * Asks its server for what it does to a payload, unless it leaves that as it is.
	 */
	private static final class AwayTransformer extends RemoteTransformer {

		private int minSize;

		private String only = "";

		AwayTransformer() {
			super(UndoneBy.CONSUMER);
		}

		@Override
		public byte[] encode(byte[] payload, PayloadContext context) {
			boolean isMine = payload.length >= this.minSize && context.name().startsWith(this.only);
			return isMine ? decode(payload, context) : null;
		}

	}

}
