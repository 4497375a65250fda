/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay.Once;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.once.JsonOutput;
import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.once.OneShotRunner;
import io.orderedoutbox.once.TextOutput;
import io.orderedoutbox.relay.OneShotRelay;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a relay that drains the outbox
 * once and ends the process.
 */
@EachOutbox
@AutoConfiguration(after = OutboxRelayAutoConfiguration.class)
@ConditionalOnSwitch(Switch.ONE_SHOT_RELAY)
public final class OutboxOneShotAutoConfiguration {

	@Bean
	@NotInParentContext
	OneShotRelay orderedOutboxOneShotRelay(OneShotRelayFactory relays, OutboxProperties properties) {
		return relays.create(properties.relay().workers());
	}

	@Bean
	@ConditionalOnMissingBean
	OneShotOutput orderedOutboxOneShotOutput(OutboxProperties properties) {
		Once once = properties.relay().once();
		return switch (once.output()) {
			case TEXT -> new TextOutput(standardOutput());
			case JSON -> new JsonOutput(standardOutput());
			case SILENT -> OneShotOutput.SILENT;
		};
	}

	// The program that has started the process reads this output, even if the application
	// has directed System.out elsewhere
	private static PrintStream standardOutput() {
		return new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
	}

	@Bean
	@NotInParentContext
	OneShotRunner orderedOutboxOneShotRunner(OneShotRelay relay, OneShotOutput output, OutboxProperties properties) {
		return new OneShotRunner(relay, output, properties.relay().workers());
	}

	@Bean
	@ConditionalOnMissingBean
	OneShotExit orderedOutboxOneShotExit() {
		return new OneShotExit((context) -> System.exit(SpringApplication.exit(context)));
	}

}
