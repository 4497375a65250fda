/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Standard output is left to a program exactly when a one-shot relay writes for one.
 */
@Tag("unit")
class QuietConsoleTests {

	@ParameterizedTest
	@CsvSource({ "once, json, true", "once, silent, true", "'once ', 'json ', true", "Once, SILENT, true",
			"${NOWHERE:once}, ${NOWHERE:json}, true", "once, text, false", "once, 'Text ', false", "once, '', false",
			"once, ' ', false", "once, xml, false", "'', json, false", "continuous, json, false", "off, silent, false",
			"onec, json, false" })
	void itIsQuietForAProgram(String mode, String output, boolean quiet) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(new MapPropertySource("file",
					Map.of("outbox.relay.mode", mode, "outbox.relay.once.output", output)));
		new QuietConsole().postProcessEnvironment(environment, new SpringApplication());
		assertThat(environment.containsProperty("logging.threshold.console")).isEqualTo(quiet);
	}

}
