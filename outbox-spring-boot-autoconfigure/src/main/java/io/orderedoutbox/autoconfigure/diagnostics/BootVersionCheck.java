/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Refuses a Spring Boot that the starter was not made for, before its auto-configurations
 * are read: there it would fail with an error of a bean definition.
 * <p>
 * It uses only what Spring Boot 3 has as well.
 */
public final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})(?:\\.(\\d{1,4}))?(?:[.-].*)?");

	private static final int MAJOR = 4;

	private static final int MINOR = 1;

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		require(SpringBootVersion.getVersion());
	}

	/**
	 * Refuse a version that is too old. One that cannot be told may be any.
	 */
	static void require(@Nullable String version) {
		Matcher parts = VERSION.matcher((version != null) ? version : "");
		if (parts.matches() && isTooOld(Integer.parseInt(parts.group(1)), parts.group(2))) {
			throw new OutboxConfigurationException(
					"The outbox needs Spring Boot 4.1 or newer, and this application runs on Spring Boot %s."
						.formatted(version),
					"Use a newer Spring Boot, or remove outbox-spring-boot-starter from the dependencies.");
		}
	}

	private static boolean isTooOld(int major, @Nullable String minor) {
		return major < MAJOR || (major == MAJOR && minor != null && Integer.parseInt(minor) < MINOR);
	}

}
