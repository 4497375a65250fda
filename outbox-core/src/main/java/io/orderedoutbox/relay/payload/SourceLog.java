/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.payload;

import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line when a payload source cannot be used, and one when it can be again.
 */
final class SourceLog {

	private static final Logger logger = LoggerFactory.getLogger(SourceLog.class);

	private final AtomicBoolean away = new AtomicBoolean();

	void loaded(Loading loading) {
		RuntimeException outage = loading.outage();
		if (outage != null && this.away.compareAndSet(false, true)) {
			String error = outage.toString();
			logger.atWarn()
				.addKeyValue("state", "fails")
				.addKeyValue("error", error)
				.log("The payloads of messages that carry a reference cannot be loaded. They stay in the outbox, spend no attempt, and nothing of their partition keys is sent until they can: {}",
						error);
		}
		else if (outage == null && this.away.compareAndSet(true, false)) {
			logger.atInfo()
				.addKeyValue("state", "works")
				.log("The payloads of messages that carry a reference can be loaded again");
		}
	}

}
