/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says at the start what the outbox is set up for, a line for each of its switches: two
 * instances that differ in one of them look the same otherwise.
 */
final class StartLog implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(StartLog.class);

	private final OutboxProperties properties;

	StartLog(OutboxProperties properties) {
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		logger.atInfo()
			.addKeyValue("ordered", this.properties.ordered())
			.log(this.properties.ordered() ? "The outbox keeps the order of each partition key (outbox.ordered=true)"
					: "The outbox keeps no order (outbox.ordered=false)");
		Relay relay = this.properties.relay();
		logger.atInfo()
			.addKeyValue("mode", relay.mode())
			.addKeyValue("workers", relay.workers())
			.log(switch (relay.mode()) {
				case CONTINUOUS ->
					"This instance relays the messages of the outbox all the time, with %d workers (outbox.relay.mode=continuous)"
						.formatted(relay.workers());
				case ONCE ->
					"This instance relays the messages of the outbox once, with %d workers, and ends (outbox.relay.mode=once)"
						.formatted(relay.workers());
				case OFF -> "This instance only writes to the outbox and relays nothing (outbox.relay.mode=off)";
			});
	}

}
