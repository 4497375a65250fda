/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.Arrays;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.DelayStamp;
import io.orderedoutbox.DeliverAtStamp;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.MessageIdStamp;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.store.Delay;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Stamps, one by one and together.
 */
@Tag("unit")
class StampsTests {

	@Test
	void nothingIsStampedByDefault() {
		assertThat(Stamps.of()).isEqualTo(new Stamps(null, null, Map.of(), Delay.NONE));
	}

	@Test
	void stampsAreSortedOut() {
		UUID id = UUID.randomUUID();
		Stamps stamps = Stamps.of(HeaderStamp.of("b", "2"), MessageIdStamp.of(id), HeaderStamp.of("a", ""),
				PartitionKeyStamp.of("k"));
		assertThat(stamps.partitionKey()).isEqualTo("k");
		assertThat(stamps.messageId()).isEqualTo(id);
		assertThat(stamps.headers()).containsExactly(Map.entry("b", "2"), Map.entry("a", ""));
	}

	@Test
	void aMessageIsDelayedForATimeOrUntilATime() {
		assertThat(Stamps.of(DelayStamp.of(Duration.ofHours(1))).delay()).isEqualTo(Delay.of(Duration.ofHours(1)));
		assertThat(Stamps.of(DelayStamp.of(Duration.ZERO)).delay().isNone()).isTrue();
		Instant time = Instant.parse("2030-01-01T00:00:00Z");
		Stamps stamps = Stamps.of(DeliverAtStamp.of(time));
		assertThat(stamps.delay()).isEqualTo(Delay.until(time));
		assertThat(stamps.withHeaders(Map.of("a", "b")).delay()).isEqualTo(Delay.until(time));
	}

	@Test
	void delaysThatNobodyMeansAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> DelayStamp.of(Duration.ofNanos(-1)))
			.withMessageContaining("'delay' must be between zero and 36500 days");
		assertThatIllegalArgumentException().isThrownBy(() -> DelayStamp.of(Duration.ofDays(36_501)));
		assertThatIllegalArgumentException().isThrownBy(() -> DelayStamp.of(null));
		assertThatIllegalArgumentException().isThrownBy(() -> DeliverAtStamp.of(Instant.parse("9000-01-01T00:00:00Z")))
			.withMessageContaining("before the year 9000");
		assertThatIllegalArgumentException().isThrownBy(() -> DeliverAtStamp.of(null));
	}

	static Stream<List<Stamp>> contradictions() {
		return Stream.of(List.of(PartitionKeyStamp.of("a"), PartitionKeyStamp.of("b")),
				List.of(PartitionKeyStamp.none(), PartitionKeyStamp.of("b")),
				List.of(PartitionKeyStamp.of("a"), PartitionKeyStamp.none()),
				List.of(MessageIdStamp.of(new UUID(0, 1)), MessageIdStamp.of(new UUID(0, 2))),
				List.of(HeaderStamp.of("h", "1"), HeaderStamp.of("h", "2")),
				List.of(DelayStamp.of(Duration.ofHours(1)), DeliverAtStamp.of(Instant.EPOCH)),
				List.of(DelayStamp.of(Duration.ZERO), DelayStamp.of(Duration.ZERO)));
	}

	@ParameterizedTest
	@MethodSource("contradictions")
	void twoStampsForOneThingAreRefused(List<Stamp> stamps) {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> Stamps.of(stamps.toArray(Stamp[]::new)))
			.withMessageContaining("contradict")
			.withMessageContaining("give one");
	}

	@Test
	void nullIsNoStamp() {
		assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(() -> Stamps.of((Stamp) null))
			.withMessageContaining("null");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x-message-id", "X-Message-Id", "CC", "BCC", "cc", "Bcc", "x-partition", "X-Partition-Key",
			"x-position", "x-published-at", "amqp:priority", "AMQP:other", "outbox:encoding" })
	void reservedHeadersAreRefused(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of(name, "v"))
			.withMessageContaining("'" + name + "' is reserved");
	}

	@Test
	void headerNameMustFitAShortString() {
		assertThat(HeaderStamp.of("é".repeat(127), "v").name()).hasSize(127);
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of("é".repeat(128), "v"))
			.withMessageContaining("255 bytes");
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of(" ", "v"))
			.withMessageContaining("must not be empty");
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of("h", null))
			.withMessageContaining("Value of header 'h'");
	}

	@Test
	void keyHasAtMost255CodePoints() {
		assertThat(PartitionKeyStamp.of("😀".repeat(255)).key()).hasSize(510);
		assertThatIllegalArgumentException().isThrownBy(() -> PartitionKeyStamp.of("😀".repeat(256)))
			.withMessageContaining("has 256");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "a\ude00b", "\ude00\ud83d" })
	void keyWithAnUnpairedSurrogateIsRefused(String key) {
		assertThatIllegalArgumentException().isThrownBy(() -> PartitionKeyStamp.of(key))
			.withMessageContaining("surrogate");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\ud83d", "a\ude00b", "\ude00\ud83d" })
	void headersAndDestinationsWithAnUnpairedSurrogateAreRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of("tenant", text))
			.withMessageContaining("'tenant'")
			.withMessageContaining("surrogate");
		assertThatIllegalArgumentException().isThrownBy(() -> HeaderStamp.of(text, "v"))
			.withMessageContaining("surrogate");
		assertThatIllegalArgumentException().isThrownBy(() -> new Destination(text, ""))
			.withMessageContaining("'exchange'");
		assertThatIllegalArgumentException().isThrownBy(() -> new Destination("", text))
			.withMessageContaining("'routingKey'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "text/plain; name=\u0142", "\ud83d" })
	void contentTypeIsAscii(String contentType) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Payload(new byte[0], contentType))
			.withMessageContaining("ASCII");
	}

	@Test
	void nullsAreRefusedWithAHint() {
		assertThatIllegalArgumentException().isThrownBy(() -> PartitionKeyStamp.of(null))
			.withMessageContaining("PartitionKeyStamp.none()");
		assertThatIllegalArgumentException().isThrownBy(() -> MessageIdStamp.of(null));
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxEnvelope.of(null));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new OutboxEnvelope<>("event", Arrays.asList((Stamp) null)));
	}

	@Test
	void envelopeInAnEnvelopeIsRefused() {
		OutboxEnvelope<String> envelope = OutboxEnvelope.of("event");
		assertThatIllegalArgumentException().isThrownBy(() -> OutboxEnvelope.of(envelope))
			.withMessageContaining("OutboxEnvelope itself");
	}

	@Test
	void envelopeDoesNotChange() {
		OutboxEnvelope<String> envelope = OutboxEnvelope.of("event", PartitionKeyStamp.of("k"));
		assertThat(envelope.with(HeaderStamp.of("h", "v")).stamps()).containsExactly(PartitionKeyStamp.of("k"),
				HeaderStamp.of("h", "v"));
		assertThat(envelope.stamps()).containsExactly(PartitionKeyStamp.of("k"));
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> envelope.stamps().clear());
	}

}
