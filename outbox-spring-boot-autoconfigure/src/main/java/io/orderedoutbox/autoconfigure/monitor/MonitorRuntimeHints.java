/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Tells a native image of the monitor page, and of what the endpoint reads. What it shows
 * of the configuration is that of {@link ConfigurationHints}.
 */
final class MonitorRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/orderedoutbox/monitor/console/page/*");
		hints.reflection()
			.registerTypeIfPresent(classLoader, "io.orderedoutbox.monitor.console.OutboxEndpoint$Body",
					MemberCategory.INVOKE_DECLARED_METHODS);
	}

}
