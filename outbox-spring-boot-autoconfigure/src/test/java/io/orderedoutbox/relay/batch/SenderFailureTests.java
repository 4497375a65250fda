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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Senders that throw what they should not. Whatever it is, it is blamed on the message
 * that it belongs to, and never on its neighbours.
 */
@Tag("unit")
@Timeout(30)
class SenderFailureTests {

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private static final long POISON = 11;

	private final CircuitBreakers breakers = new CircuitBreakers(BACK_OFF);

	private final List<Long> sent = new ArrayList<>();

	static Stream<Throwable> mishaps() {
		return Stream.of(new IllegalStateException("mishap"), new NoClassDefFoundError("mishap"),
				new StackOverflowError(), new AssertionError("mishap"));
	}

	@ParameterizedTest
	@MethodSource("mishaps")
	void whatSendThrowsFailsItsMessage(Throwable mishap) {
		Dispatch dispatch = through((work) -> work.accept(new Channel((id) -> {
			if (id == POISON) {
				rethrow(mishap);
			}
		}, (inFlight) -> {
		})));
		onlyThePoisonHasFailed(dispatch, mishap);
	}

	@ParameterizedTest
	@MethodSource("mishaps")
	void whatTheWaitForOutcomesThrowsFailsTheMessageInFlightThatItIsAbout(Throwable mishap) {
		Dispatch dispatch = through((work) -> work.accept(new Channel((id) -> {
		}, (inFlight) -> {
			if (inFlight.contains(POISON)) {
				rethrow(mishap);
			}
		})));
		onlyThePoisonHasFailed(dispatch, mishap);
	}

	@ParameterizedTest
	@MethodSource("mishaps")
	void whatIsThrownWhileNothingIsInFlightIsNobodysFaultAndForgetsNothing(Throwable mishap) {
		Dispatch dispatch = through((work) -> {
			work.accept(new Channel((id) -> {
			}, (inFlight) -> {
			}));
			rethrow(mishap);
		});
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 11L, 12L, 21L);
		assertThat(dispatch.results().failed()).isEmpty();
		assertThat(dispatch.outage()).hasMessageContaining(mishap.getClass().getName()).hasCause(mishap);
	}

	@Test
	void aChannelThatIsRefusedBeforeAnythingWasSentIsAnOutageAndNotTriedOnTheSpotForEver() {
		List<Long> uses = new ArrayList<>();
		Dispatch dispatch = through((work) -> {
			uses.add(System.nanoTime());
			throw new ChannelRefusedException("no channel for you");
		});
		assertThat(uses).hasSize(1);
		assertThat(dispatch.results().isEmpty()).isTrue();
		assertThat(dispatch.outage()).hasMessageContaining("no channel for you");
	}

	private void onlyThePoisonHasFailed(Dispatch dispatch, Throwable mishap) {
		assertThat(dispatch.outage()).isNull();
		assertThat(dispatch.results().published()).containsExactlyInAnyOrder(1L, 2L, 21L);
		assertThat(dispatch.results().failed()).singleElement().satisfies((failure) -> {
			assertThat(failure.id()).isEqualTo(POISON);
			assertThat(failure.error()).contains(mishap.toString());
			assertThat(failure.fate()).isEqualTo(FailedMessage.Fate.RETRIED);
		});
		assertThat(this.sent).doesNotContain(12L);
	}

	private Dispatch through(MessageSender sender) {
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), 100, false,
				Duration.ofSeconds(5), Duration.ofMinutes(1), new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK),
				BACK_OFF);
		Dispatch dispatch = new Dispatch(new StandingClaim(List.of(run(1, 2), run(POISON, 12), run(21))), settings,
				this.breakers, () -> false, System::nanoTime, System.nanoTime());
		dispatch.through(sender, () -> {
		});
		return dispatch;
	}

	private static KeySequence run(long... ids) {
		return new KeySequence(Arrays.stream(ids).mapToObj(SenderFailureTests::message).toList());
	}

	private static StoredMessage message(long id) {
		Message message = new Message(new UUID(0, id), "order.placed", "", new Destination("orders", "key"),
				"text/plain", new byte[0], Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, null);
	}

	private static void rethrow(Throwable mishap) {
		if (mishap instanceof Error error) {
			throw error;
		}
		throw (RuntimeException) mishap;
	}

	/**
	 * A channel that confirms everything in its order, and lets a test throw.
	 */
	private final class Channel implements SendingChannel {

		private final Queue<Long> inFlight = new ArrayDeque<>();

		private final Consumer<Long> onSend;

		private final Consumer<Collection<Long>> onWait;

		Channel(Consumer<Long> onSend, Consumer<Collection<Long>> onWait) {
			this.onSend = onSend;
			this.onWait = onWait;
		}

		@Override
		public void send(StoredMessage message) {
			this.onSend.accept(message.id());
			SenderFailureTests.this.sent.add(message.id());
			this.inFlight.add(message.id());
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			this.onWait.accept(this.inFlight);
			return Outcome.published(this.inFlight.remove());
		}

	}

}
