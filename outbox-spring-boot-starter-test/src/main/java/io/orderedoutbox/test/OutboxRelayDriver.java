/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;

import io.orderedoutbox.autoconfigure.relay.OneShotRelayFactory;
import io.orderedoutbox.relay.OneShotResult;
import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Drives the relay by hand, in tests with {@link AutoConfigureOutboxTest}. The relay is
 * the one of the application, with one worker: with the store and the sender of the test,
 * and with the retries that the application has configured.
 */
public final class OutboxRelayDriver {

	private final ObjectProvider<OneShotRelayFactory> relays;

	private final ObjectProvider<RelayStore> store;

	private final ObjectProvider<InMemoryOutbox> memory;

	OutboxRelayDriver(ObjectProvider<OneShotRelayFactory> relays, ObjectProvider<RelayStore> store,
			ObjectProvider<InMemoryOutbox> memory) {
		this.relays = relays;
		this.store = store;
		this.memory = memory;
	}

	/**
	 * Relay all that is committed and due, and return when that is done. What the
	 * transaction of the test has published is not committed.
	 * @return how many messages were sent, and how many have failed: a message that the
	 * broker, or a listener, refuses is tried again by a later call, after its back-off
	 * @throws IllegalStateException if the application has no relay, or if the relay
	 * could not work
	 */
	public OneShotResult drain() {
		OneShotRelayFactory factory = this.relays.getIfAvailable();
		if (factory == null) {
			throw new IllegalStateException(
					"There is no outbox without a name in this application, and so no relay to drive: remove outbox.enabled=false");
		}
		this.store.getObject().refresh();
		try {
			return require(factory.create(1).drain((batch) -> {
			}));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The test was interrupted while the relay worked", ex);
		}
	}

	private static OneShotResult require(OneShotResult result) {
		@Nullable String error = result.error();
		if (result.ending() == Ending.UNREACHABLE || result.ending() == Ending.BROKEN) {
			throw new IllegalStateException("The relay could not work (%s): %s".formatted(result.ending(), error));
		}
		return result;
	}

	/**
	 * Let time pass for the outbox in memory, so that a later {@link #drain()} sends what
	 * is delayed, or has failed. The next test method begins at the time of the machine
	 * again.
	 * @param duration how much time passes
	 * @throws IllegalStateException if the messages are stored in a database, whose clock
	 * a test cannot change
	 */
	public void advance(Duration duration) {
		InMemoryOutbox known = this.memory.getIfAvailable();
		if (known == null) {
			throw new IllegalStateException(
					"The messages of this test are in a database, and its clock decides: keep them in memory, with @AutoConfigureOutboxTest");
		}
		known.advance(duration);
	}

}
