/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.Map;
import java.util.Set;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Leaves standard output to the one-shot relay where a program reads it, or none does,
 * and to the script of the tables where it is printed: no banner, and of the log only
 * errors. The application's own settings for banner and console win.
 */
public final class QuietConsole implements EnvironmentPostProcessor, Ordered {

	private static final Map<String, Object> QUIET = Map.of("spring.main.banner-mode", "off",
			"logging.threshold.console", "error");

	private static final Set<String> WITHOUT_TEXT = Set.of("json", "silent");

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		boolean isOnce = "once".equals(Choice.of(environment, "outbox.relay.mode"));
		boolean isPrinting = !Choice.of(environment, "outbox.jdbc.print-schema").isEmpty();
		if (isPrinting || (isOnce && WITHOUT_TEXT.contains(Choice.of(environment, "outbox.relay.once.output")))) {
			environment.getPropertySources().addLast(new MapPropertySource("outboxOneShot", QUIET));
		}
	}

	// After the application's configuration has been read
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
