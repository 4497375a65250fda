/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.payload.PayloadUnavailableException;
import io.orderedoutbox.relay.ManualClock;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Payloads that what undoes their encoding cannot undo for now.
 */
@Tag("unit")
@Timeout(30)
class UnavailablePayloadTests {

	private static final Duration FIRST = Duration.ofSeconds(1);

	private static final RetryPolicy BACK_OFF = new RetryPolicy(FIRST, 2, Duration.ofMinutes(1), 0);

	private static final Duration BATCH_TIME = Duration.ofSeconds(2);

	private final ManualClock clock = new ManualClock();

	private final CircuitBreakers breakers = new CircuitBreakers(BACK_OFF, this.clock);

	private final List<Long> asked = new ArrayList<>();

	private final Set<Long> away = new HashSet<>();

	private Duration takes = Duration.ZERO;

	@Test
	void whatIsFoundOutAtOnceHoldsItsKeyOnly() {
		this.away.add(1L);
		Dispatch dispatch = dispatch(encoded(1), encoded(2), plain(3));
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(2L, 3L);
		assertThat(dispatch.results().failed()).singleElement().satisfies((failure) -> {
			assertThat(failure.fate()).isEqualTo(Fate.POSTPONED);
			assertThat(failure.delay()).isEqualTo(FIRST);
			assertThat(failure.error()).contains("no answer");
		});
	}

	@Test
	void whatTookLongToFindOutIsNotAskedForTheNextMessageAndTheOthersAreSent() {
		this.away.addAll(List.of(1L, 2L, 4L));
		this.takes = BATCH_TIME.dividedBy(4);
		Dispatch dispatch = dispatch(encoded(1), encoded(2), plain(3));
		assertThat(this.asked).containsExactly(1L);
		assertThat(dispatch.results().published()).containsExactly(3L);
		assertThat(dispatch.results().failed()).hasSize(2)
			.allSatisfy((failure) -> assertThat(failure.fate()).isEqualTo(Fate.POSTPONED));
		this.asked.clear();
		Dispatch next = dispatch(encoded(4), plain(5));
		assertThat(this.asked).isEmpty();
		assertThat(next.results().published()).containsExactly(5L);
	}

	@Test
	void afterThePauseAnotherMessageIsAskedFirstAndEndsIt() {
		this.away.add(1L);
		this.takes = BATCH_TIME.dividedBy(4);
		Dispatch dispatch = dispatch(encoded(1), encoded(2));
		assertThat(dispatch.results().failed()).extracting(FailedMessage::id).containsExactlyInAnyOrder(1L, 2L);
		assertThat(delayOf(dispatch, 1)).as("the message that took long").isGreaterThan(delayOf(dispatch, 2));
		this.clock.advance(delayOf(dispatch, 2));
		assertThat(dispatch(encoded(2), encoded(6)).results().published()).containsExactlyInAnyOrder(2L, 6L);
		assertThat(dispatch(encoded(7)).results().published()).containsExactly(7L);
	}

	@Test
	void eachFurtherPauseIsLonger() {
		this.away.addAll(List.of(1L, 2L, 3L));
		this.takes = BATCH_TIME.dividedBy(4);
		dispatch(encoded(1));
		this.clock.advance(FIRST);
		dispatch(encoded(2));
		this.clock.advance(FIRST);
		this.asked.clear();
		assertThat(dispatch(encoded(3)).results().failed()).hasSize(1);
		assertThat(this.asked).isEmpty();
	}

	@Test
	void whatIsFoundOutSoonForManyMessagesTakesLongTogether() {
		this.away.addAll(List.of(1L, 2L, 3L, 4L, 5L));
		this.takes = BATCH_TIME.dividedBy(25);
		Dispatch dispatch = dispatch(encoded(1), encoded(2), encoded(3), encoded(4), encoded(5), plain(6));
		assertThat(this.asked).containsExactly(1L, 2L, 3L);
		assertThat(dispatch.results().published()).containsExactly(6L);
		assertThat(delayOf(dispatch, 3)).as("the message that paused it").isGreaterThan(delayOf(dispatch, 4));
	}

	@Test
	void whatIsFoundOutSoonForMessagesOfDifferentEncodingsIsNotAddedUp() {
		this.away.addAll(List.of(1L, 2L, 3L, 4L));
		this.takes = BATCH_TIME.dividedBy(15);
		KeySequence other = sequence(3, Map.of(EncodedPayload.RELAY_HEADER, "other"));
		dispatch(encoded(1), other);
		assertThat(dispatch(encoded(2), sequence(4, Map.of(EncodedPayload.RELAY_HEADER, "other")), plain(5)).results()
			.published()).containsExactly(5L);
		assertThat(this.asked).as("each time is that of one batch").containsExactly(1L, 3L, 2L, 4L);
	}

	@Test
	void whatListenersUndoIsPausedForMessagesOfTheSameName() {
		this.away.addAll(List.of(1L, 2L));
		this.takes = BATCH_TIME.dividedBy(4);
		Dispatch dispatch = dispatch(forListeners(1), forListeners(2), plain(3));
		assertThat(this.asked).containsExactly(1L);
		assertThat(dispatch.results().published()).containsExactly(3L);
		assertThat(delayOf(dispatch, 1)).as("the message that took long").isGreaterThan(delayOf(dispatch, 2));
		this.clock.advance(FIRST);
		assertThat(dispatch(forListeners(4), forListeners(5)).results().published()).containsExactlyInAnyOrder(4L, 5L);
	}

	// Their sender may be that of a broker, which is given them as they are
	@Test
	void whatListenersUndoIsPausedForNoMessagesOfAnotherNameOrOfTheRelay() {
		this.away.add(1L);
		this.takes = BATCH_TIME.dividedBy(4);
		dispatch(forListeners(1));
		assertThat(dispatch(named("order.billed", 2, Map.of(EncodedPayload.CONSUMER_HEADER, "remote")), encoded(3),
				sequence(4, Map.of(EncodedPayload.CONSUMER_HEADER, "gzip")))
			.results()
			.published()).containsExactlyInAnyOrder(2L, 3L, 4L);
	}

	@Test
	void whatTheRelayUndoesIsPausedWhateverTheNameIsAndWhateverConsumersUndo() {
		this.away.add(1L);
		this.takes = BATCH_TIME.dividedBy(4);
		dispatch(encoded(1));
		this.asked.clear();
		dispatch(named("order.billed", 2,
				Map.of(EncodedPayload.RELAY_HEADER, "remote", EncodedPayload.CONSUMER_HEADER, "gzip")));
		assertThat(this.asked).isEmpty();
	}

	@Test
	void aSenderThatThrowsItForAMessageWithoutAnEncodingPausesNoOther() {
		this.away.add(1L);
		this.takes = BATCH_TIME.dividedBy(4);
		dispatch(plain(1));
		assertThat(dispatch(plain(2), encoded(3)).results().published()).containsExactlyInAnyOrder(2L, 3L);
	}

	private static Duration delayOf(Dispatch dispatch, long id) {
		return dispatch.results()
			.failed()
			.stream()
			.filter((failure) -> failure.id() == id)
			.map(FailedMessage::delay)
			.findFirst()
			.orElseThrow();
	}

	private Dispatch dispatch(KeySequence... sequences) {
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), BATCH_TIME, 100, false,
				Duration.ofMinutes(5), Duration.ofMinutes(5), new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK),
				BACK_OFF);
		Dispatch dispatch = new Dispatch(new StandingClaim(List.of(sequences)), settings, this.breakers, () -> false,
				this.clock, this.clock.getAsLong());
		dispatch.through((work) -> work.accept(new Channel()), () -> {
		});
		return dispatch;
	}

	private static KeySequence encoded(long id) {
		return sequence(id, Map.of(EncodedPayload.RELAY_HEADER, "remote"));
	}

	private static KeySequence forListeners(long id) {
		return sequence(id, Map.of(EncodedPayload.CONSUMER_HEADER, "remote"));
	}

	private static KeySequence plain(long id) {
		return sequence(id, Map.of());
	}

	private static KeySequence sequence(long id, Map<String, Object> headers) {
		return named("order.placed", id, headers);
	}

	private static KeySequence named(String name, long id, Map<String, Object> headers) {
		Message message = new Message(new UUID(0, id), name, "", new Destination("orders", "key"), "text/plain",
				new byte[0], headers);
		return new KeySequence(List.of(new StoredMessage(id, message, Instant.EPOCH, 0, null)));
	}

	private final class Channel implements SendingChannel {

		private final Queue<Outcome> outcomes = new ArrayDeque<>();

		@Override
		public void send(StoredMessage message) {
			if (!message.message().headers().isEmpty()) {
				UnavailablePayloadTests.this.asked.add(message.id());
			}
			if (UnavailablePayloadTests.this.away.contains(message.id())) {
				UnavailablePayloadTests.this.clock.advance(UnavailablePayloadTests.this.takes);
				throw new PayloadUnavailableException("no answer", null);
			}
			this.outcomes.add(Outcome.published(message.id()));
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			return this.outcomes.poll();
		}

	}

}
