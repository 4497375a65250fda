/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import java.io.Console;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.terminal.RecentFailures;
import io.orderedoutbox.terminal.TerminalSummary;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for a summary on the terminal. That
 * there is a terminal is found out when the application starts.
 */
@AutoConfiguration(after = { OutboxRelayAutoConfiguration.class, OutboxMonitorAutoConfiguration.class })
@ConditionalOnSwitch(Switch.TERMINAL)
@ConditionalOnBean(OutboxRelay.class)
@ImportRuntimeHints(OutboxTerminalAutoConfiguration.ConsoleHints.class)
public final class OutboxTerminalAutoConfiguration {

	@Bean
	@NotInParentContext
	RecentFailures orderedOutboxRecentFailures() {
		return new RecentFailures();
	}

	@Bean
	@NotInParentContext
	TerminalSummary orderedOutboxTerminalSummary(OutboxRelay relay, ObjectProvider<BacklogSampler> sampler,
			RecentFailures failures) {
		BacklogSampler sampled = sampler.getIfAvailable();
		return new TerminalSummary(relay, () -> (sampled != null) ? sampled.current() : null, failures);
	}

	/**
	 * What only newer Javas have is looked up by name.
	 */
	static final class ConsoleHints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection().registerType(Console.class, MemberCategory.INVOKE_PUBLIC_METHODS);
		}

	}

}
