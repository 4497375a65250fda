/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.List;
import java.util.function.Consumer;

import io.orderedoutbox.relay.batch.ErrorText;
import io.orderedoutbox.relay.batch.RelayBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells several listeners, none of which can do harm to the relay or to another.
 */
final class RelayListeners implements RelayListener {

	private static final Logger logger = LoggerFactory.getLogger(RelayListeners.class);

	private final List<RelayListener> listeners;

	private volatile boolean warned;

	RelayListeners(List<RelayListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void batchEnded(RelayBatch batch) {
		tell((listener) -> listener.batchEnded(batch));
	}

	@Override
	public void nothingFound() {
		tell(RelayListener::nothingFound);
	}

	@Override
	public void woken() {
		tell(RelayListener::woken);
	}

	private void tell(Consumer<RelayListener> news) {
		for (RelayListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				complain(listener, ex);
			}
		}
	}

	private void complain(RelayListener listener, Throwable ex) {
		if (this.warned) {
			logger.debug("Relay listener {} failed again", listener, ex);
			return;
		}
		this.warned = true;
		logger.atWarn()
			.setCause(ex)
			.addKeyValue("listener", listener.getClass().getName())
			.addKeyValue("error", ErrorText.of(ex))
			.log("Relay listener {} failed. The relay goes on; further failures are logged at DEBUG", listener);
	}

}
