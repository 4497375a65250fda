/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Consumer;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a channel over several senders keeps apart.
 */
@Tag("unit")
class RoutingChannelTests {

	private final Holding holding = new Holding();

	private final Holding other = new Holding();

	private RoutingMessageSender sender(Duration timeout) {
		return new RoutingMessageSender(new MessageNamePatterns<>(Map.of("other.*", this.other), this.holding),
				timeout);
	}

	private static StoredMessage message(long id, String name) {
		return new StoredMessage(id, new Message(new UUID(0, id), name, "key-" + id, new Destination("", ""),
				"text/plain", new byte[0], Map.of()), Instant.EPOCH, 0, null);
	}

	@Test
	void whatASenderHoldsBackLeavesBeforeAnotherIsCalled() {
		sender(Duration.ofSeconds(5)).withChannel((channel) -> {
			channel.send(message(1, "order.placed"));
			channel.send(message(2, "order.placed"));
			assertThat(this.holding.left).isEmpty();
			channel.send(message(3, "other.one"));
			assertThat(this.holding.left).containsExactly(1L, 2L);
			channel.send(message(4, "order.placed"));
			assertThat(this.other.left).containsExactly(3L);
		});
	}

	@Test
	void whatASenderHoldsBackLeavesWithAWaitHoweverQuickTheOtherIs() {
		this.other.answers = true;
		sender(Duration.ofSeconds(5)).withChannel((channel) -> {
			channel.send(message(1, "other.one"));
			channel.send(message(2, "order.placed"));
			assertThat(channel.nextOutcome(Duration.ofSeconds(1)).id()).isEqualTo(1);
			assertThat(this.holding.left).containsExactly(2L);
		});
	}

	@Test
	void whatASenderSaysIsNoSignThatAnotherAnswers() {
		this.other.answers = true;
		List<Outcome> outcomes = new ArrayList<>();
		sender(Duration.ofMillis(100)).withChannel((channel) -> {
			channel.send(message(1, "order.placed"));
			long[] id = { 1 };
			Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
				channel.send(message(++id[0], "other.one"));
				Outcome outcome = channel.nextOutcome(Duration.ofMillis(20));
				outcomes.add(outcome);
				return outcome != null && outcome.id() == 1;
			});
			Outcome silent = outcomes.get(outcomes.size() - 1);
			assertThat(silent.reason()).isEqualTo(FailureReason.PAUSED);
			assertThat(silent.error()).contains("no confirm from the broker within");
			channel.send(message(1_000, "order.placed"));
			assertThat(next(channel, 1_000).reason()).isEqualTo(FailureReason.PAUSED);
		});
		assertThat(outcomes).hasSizeGreaterThan(5);
		assertThat(this.holding.end).as("how its channel has ended").isInstanceOf(TransportException.class);
		assertThat(this.other.end).isNull();
	}

	@Test
	void aSenderThatIsSilentAboutOneMessageOnlyIsNotLost() {
		sender(Duration.ofMillis(50)).withChannel((channel) -> {
			channel.send(message(1, "order.placed"));
			channel.send(message(2, "order.placed"));
			assertThat(channel.nextOutcome(Duration.ofMillis(1))).isNull();
			this.holding.outcomes.add(Outcome.published(2));
			assertThat(next(channel, 2).error()).isNull();
			assertThat(channel.nextOutcome(Duration.ofMillis(100))).isNull();
			this.holding.outcomes.add(Outcome.published(1));
			assertThat(next(channel, 1).error()).isNull();
		});
		assertThat(this.holding.end).isNull();
	}

	@Test
	void allSendersSilentIsAnOutage() {
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> sender(Duration.ofMillis(50)).withChannel((channel) -> {
				channel.send(message(1, "order.placed"));
				channel.send(message(2, "other.one"));
				while (channel.nextOutcome(Duration.ofMillis(100)) != null) {
					// Unreachable, until no sender is left
				}
			}))
			.withMessageContaining("no confirm from the broker within");
	}

	private static Outcome next(SendingChannel channel, long id) {
		Outcome outcome = channel.nextOutcome(Duration.ofSeconds(5));
		while (outcome != null && outcome.id() != id) {
			outcome = channel.nextOutcome(Duration.ofSeconds(5));
		}
		assertThat(outcome).isNotNull();
		return outcome;
	}

	/**
	 * Holds messages back until it is waited for, as the contract of a channel allows.
	 */
	private static final class Holding implements MessageSender, SendingChannel {

		private final List<Long> held = new ArrayList<>();

		private final List<Long> left = new ArrayList<>();

		private final Queue<Outcome> outcomes = new ArrayDeque<>();

		private boolean answers;

		private @Nullable TransportException end;

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			try {
				work.accept(this);
			}
			catch (TransportException ex) {
				this.end = ex;
				throw ex;
			}
		}

		@Override
		public void send(StoredMessage message) {
			this.held.add(message.id());
			if (this.answers) {
				this.outcomes.add(Outcome.published(message.id()));
			}
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			Outcome outcome = this.outcomes.poll();
			if (outcome == null && !timeout.isZero()) {
				this.left.addAll(this.held);
				this.held.clear();
			}
			return outcome;
		}

	}

}
