/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/**
 * Whether {@link MessageSenderContract} finds senders that do one thing wrong.
 */
@Tag("slow")
@Tag("thorough")
class MutatedSendersTests {

	private static final Destination KEPT = new Destination("memory", "kept");

	private static final Destination REFUSED = new Destination("memory", "refused");

	private static volatile Mutation mutation = Mutation.NONE;

	@Test
	void aSenderThatDoesEverythingRightKeepsTheContract() {
		Events tests = contractWith(Mutation.NONE);
		assertThat(tests.failed().list()).isEmpty();
		assertThat(tests.succeeded().count()).isGreaterThanOrEqualTo(12);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
	void aSenderThatDoesOneThingWrongIsFound(Mutation mutation) {
		assertThat(contractWith(mutation).failed().list()).isNotEmpty();
	}

	private static Events contractWith(Mutation chosen) {
		mutation = chosen;
		return EngineTestKit.engine("junit-jupiter").selectors(selectClass(Mutated.class)).execute().testEvents();
	}

	/**
	 * What a sender does wrong.
	 */
	enum Mutation {

		NONE,

		OVERTAKES,

		LOSES_AN_OUTCOME,

		REPEATS_AN_OUTCOME,

		CONFIRMS_WHAT_IT_HAS_NOT_SENT,

		SENDS_TWICE,

		FAILS_THE_NEXT_AS_WELL,

		FAILS_WITHOUT_A_WORD,

		SENDS_WHAT_IT_REFUSES,

		BLAMES_A_MESSAGE_FOR_AN_OUTAGE,

		SENDS_LATER,

		SAYS_NOTHING_OF_AN_OUTAGE,

		DOES_NOT_WAIT,

		WAITS_TOO_LONG,

		KEEPS_OUTCOMES_FOR_THE_NEXT_CHANNEL,

		SWALLOWS_WHAT_THE_WORK_THROWS

	}

	static final class Mutated extends MessageSenderContract {

		private final Memory sender = new Memory();

		@Override
		protected MessageSender sender() {
			return this.sender;
		}

		@Override
		protected Destination destination() {
			return KEPT;
		}

		@Override
		protected Destination refusedDestination() {
			return REFUSED;
		}

		@Override
		protected List<UUID> arrivals() {
			return List.copyOf(this.sender.arrived);
		}

		@Override
		protected Duration patience() {
			return Duration.ofMillis(600);
		}

		@Override
		protected void loseBroker() {
			this.sender.away = true;
		}

		@Override
		protected void returnBroker() {
			this.sender.away = false;
			this.sender.arrived.addAll(this.sender.forLater);
		}

	}

	/**
	 * Sends to a list.
	 */
	private static final class Memory implements MessageSender {

		private final List<UUID> arrived = new CopyOnWriteArrayList<>();

		private final List<UUID> forLater = new ArrayList<>();

		private final BlockingQueue<Outcome> common = new LinkedBlockingQueue<>();

		private volatile boolean away;

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			boolean isQuiet = is(Mutation.SENDS_LATER) || is(Mutation.SAYS_NOTHING_OF_AN_OUTAGE)
					|| is(Mutation.BLAMES_A_MESSAGE_FOR_AN_OUTAGE);
			if (this.away && !isQuiet) {
				throw new TransportException("away", null);
			}
			try {
				work.accept(new MemoryChannel(this,
						is(Mutation.KEEPS_OUTCOMES_FOR_THE_NEXT_CHANNEL) ? this.common : new LinkedBlockingQueue<>()));
			}
			catch (RuntimeException ex) {
				if (!is(Mutation.SWALLOWS_WHAT_THE_WORK_THROWS)) {
					throw ex;
				}
			}
		}

	}

	private static boolean is(Mutation possible) {
		return mutation == possible;
	}

	private static final class MemoryChannel implements SendingChannel {

		private final Memory broker;

		private final BlockingQueue<Outcome> outcomes;

		private int sent;

		private boolean failNext;

		private UUID held;

		MemoryChannel(Memory broker, BlockingQueue<Outcome> outcomes) {
			this.broker = broker;
			this.outcomes = outcomes;
		}

		@Override
		public void send(StoredMessage message) {
			this.sent++;
			UUID id = message.message().messageId();
			if (this.broker.away) {
				sendWhileAway(message);
				return;
			}
			if (message.message().destination().equals(REFUSED) || this.failNext) {
				this.failNext = is(Mutation.FAILS_THE_NEXT_AS_WELL) && !this.failNext;
				if (is(Mutation.SENDS_WHAT_IT_REFUSES)) {
					this.broker.arrived.add(id);
				}
				this.outcomes.add(Outcome.failed(message.id(), is(Mutation.FAILS_WITHOUT_A_WORD) ? "" : "refused",
						FailureReason.NACKED));
				return;
			}
			arrive(id);
			if (!is(Mutation.LOSES_AN_OUTCOME) || this.sent != 7) {
				this.outcomes.add(Outcome.published(message.id()));
			}
			if (is(Mutation.REPEATS_AN_OUTCOME)) {
				this.outcomes.add(Outcome.published(message.id()));
			}
		}

		private void sendWhileAway(StoredMessage message) {
			if (is(Mutation.SENDS_LATER)) {
				this.broker.forLater.add(message.message().messageId());
			}
			if (is(Mutation.BLAMES_A_MESSAGE_FOR_AN_OUTAGE)) {
				this.outcomes.add(Outcome.failed(message.id(), "away"));
			}
		}

		private void arrive(UUID id) {
			if (is(Mutation.CONFIRMS_WHAT_IT_HAS_NOT_SENT) && this.sent == 1) {
				return;
			}
			// So that the tenth comes after all of the next ten
			if (is(Mutation.OVERTAKES) && this.sent == 10) {
				this.held = id;
				return;
			}
			this.broker.arrived.add(id);
			if (is(Mutation.SENDS_TWICE)) {
				this.broker.arrived.add(id);
			}
			if (this.held != null && this.sent == 20) {
				this.broker.arrived.add(this.held);
			}
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			try {
				Duration patience = is(Mutation.DOES_NOT_WAIT) ? Duration.ZERO
						: is(Mutation.WAITS_TOO_LONG) ? Duration.ofSeconds(1) : timeout;
				return this.outcomes.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new TransportException("interrupted", ex);
			}
		}

	}

}
