/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Refuses a Spring Boot that is too old for the starter, before its auto-configurations
 * are read: there it would fail with an error of a bean definition. Of one that is newer
 * than what the starter was tested with it warns, since the same may come of it.
 * <p>
 * It uses only what Spring Boot 3 has as well.
 */
public final class BootVersionCheck implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	private static final Logger logger = LoggerFactory.getLogger(BootVersionCheck.class);

	private static final Pattern VERSION = Pattern.compile("(\\d{1,4})(?:\\.(\\d{1,4}))?(?:[.-].*)?");

	private static final int MAJOR = 4;

	private static final int MINOR = 1;

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		require(SpringBootVersion.getVersion());
	}

	/**
	 * Refuse a version that is too old, and warn of one that is newer. One that cannot be
	 * told may be any.
	 */
	static void require(@Nullable String version) {
		Matcher parts = VERSION.matcher((version != null) ? version : "");
		if (!parts.matches()) {
			return;
		}
		int distance = distance(Integer.parseInt(parts.group(1)), parts.group(2));
		if (distance > 0) {
			logger.atWarn()
				.addKeyValue("version", version)
				.log("The outbox was made for Spring Boot 4.1 and has not been tested with Spring Boot {}: look for a newer version of the outbox",
						version);
		}
		if (distance < 0) {
			throw new OutboxConfigurationException(
					"The outbox needs Spring Boot 4.1 or newer, and this application runs on Spring Boot %s."
						.formatted(version),
					"Use a newer Spring Boot, or remove outbox-spring-boot-starter from the dependencies.");
		}
	}

	// Below zero: older, above zero: newer
	private static int distance(int major, @Nullable String minor) {
		return (major != MAJOR || minor == null) ? Integer.compare(major, MAJOR)
				: Integer.compare(Integer.parseInt(minor), MINOR);
	}

}
