/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.HashMap;
import java.util.Map;

import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.monitor.OutboxConsoleAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxPageAutoConfiguration;
import io.orderedoutbox.monitor.console.OutboxConsole;
import io.orderedoutbox.monitor.console.OutboxConsoles;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what operators see of all the
 * outboxes that there are. It is there when endpoint or page ask for it.
 */
@Lazy
@AutoConfiguration(after = { OutboxConsoleAutoConfiguration.class, OutboxNamedAutoConfiguration.class },
		before = OutboxPageAutoConfiguration.class)
@ConditionalOnNamedOutbox
public final class OutboxNamedConsolesAutoConfiguration {

	// The one for the outbox without a name alone is there as well
	@Bean
	@Primary
	@NotInParentContext
	OutboxConsoles orderedOutboxNamedConsoles(ObjectProvider<OutboxConsole> console,
			ObjectProvider<NamedOutbox> named) {
		Map<String, OutboxConsole> others = new HashMap<>();
		named.forEach((outbox) -> outbox.beans()
			.getBeanProvider(OutboxConsole.class)
			.ifAvailable((known) -> others.put(outbox.name(), known)));
		return new OutboxConsoles(console.getIfAvailable(), others);
	}

}
