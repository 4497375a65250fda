/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import io.orderedoutbox.jdbc.JdbcPause;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.PauseScope;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pause of all instances, and what this one makes of it. An instance that cannot ask
 * goes on as before: with the relay if it was not paused, with the pause if it was.
 */
public final class CommonPause {

	private static final Logger logger = LoggerFactory.getLogger(CommonPause.class);

	private final JdbcPause pause;

	private final @Nullable OutboxRelay relay;

	/**
	 * Create it.
	 * @param pause whether all instances are paused
	 * @param relay the relay of this instance, {@code null} if it only writes
	 */
	public CommonPause(JdbcPause pause, @Nullable OutboxRelay relay) {
		this.pause = pause;
		this.relay = relay;
	}

	/**
	 * Whether operators have paused the relay of all instances.
	 * @return whether it is paused
	 */
	public boolean isSet() {
		return this.pause.isPaused();
	}

	/**
	 * Pause all instances, or let them go on: this one at once, and others as soon as
	 * they ask.
	 */
	public synchronized void set(boolean paused) {
		this.pause.set(paused);
		obey(paused);
		if (this.relay == null) {
			// A relay logs its pause itself
			logger.atInfo()
				.addKeyValue("state", paused ? "paused" : "resumed")
				.addKeyValue("scope", PauseScope.ALL)
				.log("The outbox relays of all instances are {}", paused ? "paused" : "resumed");
		}
	}

	/**
	 * Ask, and obey.
	 */
	synchronized void obey() {
		obey(this.pause.isPaused());
	}

	private void obey(boolean paused) {
		if (this.relay != null && paused) {
			this.relay.pause(PauseScope.ALL);
		}
		else if (this.relay != null) {
			this.relay.resume(PauseScope.ALL);
		}
	}

}
