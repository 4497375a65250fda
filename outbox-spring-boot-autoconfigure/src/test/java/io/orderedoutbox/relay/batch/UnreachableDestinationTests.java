/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;

import io.orderedoutbox.Destination;
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
 * A sender with several brokers, of which one cannot be reached.
 */
@Tag("unit")
@Timeout(30)
class UnreachableDestinationTests {

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private final CircuitBreakers breakers = new CircuitBreakers(BACK_OFF);

	private final List<Long> sent = new ArrayList<>();

	@Test
	void whatCannotReachItsDestinationWaitsWithoutAnAttemptAndItsKeyWithIt() {
		Dispatch dispatch = dispatch(run("away", 1, 2), run("there", 11, 12), run("away", 21));
		assertThat(dispatch.outage()).isNull();
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(11L, 12L);
		assertThat(dispatch.results().failed()).extracting(FailedMessage::id).containsExactlyInAnyOrder(1L, 21L);
		assertThat(dispatch.results().failed()).allSatisfy((failure) -> {
			assertThat(failure.fate()).isEqualTo(Fate.POSTPONED);
			assertThat(failure.error()).contains("no way there");
		});
		assertThat(this.sent).as("what is behind it").doesNotContain(2L);
	}

	@Test
	void itsDestinationIsPausedAndNotAskedAgainAtOnce() {
		dispatch(run("away", 1));
		this.sent.clear();
		Dispatch next = dispatch(run("away", 31), run("there", 41));
		assertThat(this.sent).containsExactly(41L);
		assertThat(next.results().failed()).singleElement()
			.satisfies((failure) -> assertThat(failure.fate()).isEqualTo(Fate.POSTPONED));
	}

	private Dispatch dispatch(KeySequence... sequences) {
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), 100, false,
				Duration.ofSeconds(5), Duration.ofMinutes(1), new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK),
				BACK_OFF);
		Dispatch dispatch = new Dispatch(new StandingClaim(List.of(sequences)), settings, this.breakers, () -> false,
				System::nanoTime, System.nanoTime());
		dispatch.through((work) -> work.accept(new Channel()), () -> {
		});
		return dispatch;
	}

	private static KeySequence run(String exchange, long... ids) {
		return new KeySequence(
				Arrays.stream(ids).mapToObj((id) -> message(id, new Destination(exchange, "key"))).toList());
	}

	private static StoredMessage message(long id, Destination destination) {
		return new StoredMessage(id,
				new Message(new UUID(0, id), "order.placed", "", destination, "text/plain", new byte[0], Map.of()),
				Instant.EPOCH, 0, null);
	}

	private final class Channel implements SendingChannel {

		private final Queue<Outcome> outcomes = new ArrayDeque<>();

		@Override
		public void send(StoredMessage message) {
			UnreachableDestinationTests.this.sent.add(message.id());
			this.outcomes.add(message.message().destination().exchange().equals("away")
					? Outcome.unreachable(message.id(), "no way there") : Outcome.published(message.id()));
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			return this.outcomes.poll();
		}

	}

}
