/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link MessageSender} whose messages are observed, from the moment they are sent to the
 * answer of the broker. What is sent does not change: a consumer continues the trace of
 * the publication.
 */
public final class ObservedMessageSender implements MessageSender {

	private static final RelayObservationConvention DEFAULT = new DefaultRelayObservationConvention();

	private final MessageSender sender;

	private final ObservationRegistry registry;

	private final @Nullable RelayObservationConvention convention;

	/**
	 * Create a sender.
	 * @param sender sends
	 * @param registry where observations go
	 * @param convention how observations are named, {@code null} for the default
	 */
	public ObservedMessageSender(MessageSender sender, ObservationRegistry registry,
			@Nullable RelayObservationConvention convention) {
		this.sender = sender;
		this.registry = registry;
		this.convention = convention;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		if (this.registry.isNoop()) {
			this.sender.withChannel(work);
			return;
		}
		this.sender.withChannel((channel) -> {
			ObservedChannel observed = new ObservedChannel(channel);
			try {
				work.accept(observed);
			}
			finally {
				observed.end();
			}
		});
	}

	/**
	 * A channel that remembers the observations of what is in flight.
	 */
	private final class ObservedChannel implements SendingChannel {

		private final Map<Long, InFlight> inFlight = new HashMap<>();

		private final SendingChannel channel;

		ObservedChannel(SendingChannel channel) {
			this.channel = channel;
		}

		@Override
		public void send(StoredMessage message) {
			RelayObservationContext context = new RelayObservationContext(message);
			Observation observation = OutboxObservation.RELAY.start(ObservedMessageSender.this.convention, DEFAULT,
					() -> context, ObservedMessageSender.this.registry);
			this.inFlight.put(message.id(), new InFlight(context, observation));
			try {
				this.channel.send(message);
			}
			catch (ChannelRefusedException | TransportException ex) {
				observation.error(ex);
				throw ex;
			}
			catch (RuntimeException | Error ex) {
				this.inFlight.remove(message.id());
				context.setOutcome("failed");
				observation.error(ex).stop();
				throw ex;
			}
		}

		@Override
		public @Nullable Outcome nextOutcome(Duration timeout) {
			Outcome outcome = this.channel.nextOutcome(timeout);
			if (outcome != null) {
				end(outcome);
			}
			return outcome;
		}

		private void end(Outcome outcome) {
			InFlight ended = this.inFlight.remove(outcome.id());
			if (ended != null) {
				ended.end(outcome.error());
			}
		}

		void end() {
			this.inFlight.values().forEach((unknown) -> unknown.observation().stop());
		}

	}

	private record InFlight(RelayObservationContext context, Observation observation) {

		void end(@Nullable String error) {
			this.context.setOutcome((error != null) ? "failed" : "published");
			if (error != null) {
				this.observation.error(new NotTakenException(error));
			}
			this.observation.stop();
		}

	}

	/**
	 * What the broker said, as observations want it. The exception is not thrown.
	 */
	private static final class NotTakenException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotTakenException(String reason) {
			super(reason, null, false, false);
		}

	}

}
