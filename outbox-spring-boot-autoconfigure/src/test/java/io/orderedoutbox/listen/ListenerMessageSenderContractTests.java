/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.orderedoutbox.Destination;
import io.orderedoutbox.contract.MessageSenderContract;
import io.orderedoutbox.send.MessageSender;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@link ListenerMessageSender} with a listener that refuses what it is told to.
 */
@Tag("unit")
class ListenerMessageSenderContractTests extends MessageSenderContract {

	private final List<UUID> arrivals = new CopyOnWriteArrayList<>();

	private ListenerMessageSender sender;

	@BeforeEach
	void createSender() {
		OutboxListeners listeners = new OutboxListeners(Class::getName);
		listeners.postProcessAfterInitialization(new Listener(this.arrivals), "listener");
		this.sender = new ListenerMessageSender(listeners, new JsonPayloadReader(JsonMapper.shared()),
				UnaryOperator.identity(), Duration.ofSeconds(10));
	}

	@Override
	protected MessageSender sender() {
		return this.sender;
	}

	@Override
	protected Destination destination() {
		return new Destination("in-process", "kept");
	}

	@Override
	protected Destination refusedDestination() {
		return new Destination("in-process", "refused");
	}

	@Override
	protected String nameFor(Destination destination) {
		return "contract." + destination.routingKey();
	}

	@Override
	protected List<UUID> arrivals() {
		return this.arrivals;
	}

	@Override
	protected boolean hasBroker() {
		return false;
	}

	@Override
	protected void loseBroker() {
		throw new UnsupportedOperationException();
	}

	@Override
	protected void returnBroker() {
		throw new UnsupportedOperationException();
	}

	static final class Listener {

		private final List<UUID> arrivals;

		Listener(List<UUID> arrivals) {
			this.arrivals = arrivals;
		}

		@OutboxListener("contract.kept")
		void keep(String payload, ReceivedMessage message) {
			this.arrivals.add(message.messageId());
		}

		@OutboxListener("contract.refused")
		void refuse(String payload) {
			throw new IllegalStateException("refused");
		}

	}

}
