/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.LinkedHashMap;
import java.util.Map;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.relay.OutboxOneShotAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.once.OneShotRunner;
import io.orderedoutbox.once.SeveralOneShots;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for outboxes with names that are
 * drained once.
 */
@AutoConfiguration(after = { OutboxNamedAutoConfiguration.class, OutboxOneShotAutoConfiguration.class })
@ConditionalOnNamedOutbox
@ConditionalOnSwitch(Switch.NAMED_ONCE)
public final class OutboxNamedOneShotAutoConfiguration {

	@Bean
	SeveralOneShots orderedOutboxNamedOneShots(ObjectProvider<NamedOutbox> named) {
		Map<String, OneShotRunner> runners = new LinkedHashMap<>();
		named.orderedStream()
			.forEach((outbox) -> outbox.beans()
				.getBeanProvider(OneShotRunner.class)
				.ifAvailable((runner) -> runners.put(outbox.name(), runner)));
		return new SeveralOneShots(runners);
	}

	@Bean
	NamedOutboxCustomizer orderedOutboxNamedOneShotOutput() {
		return (collaborators, properties) -> collaborators.share(OneShotOutput.class);
	}

	@Bean
	@ConditionalOnMissingBean
	OneShotExit orderedOutboxNamedOneShotExit() {
		return new OneShotExit((context) -> System.exit(SpringApplication.exit(context)));
	}

}
