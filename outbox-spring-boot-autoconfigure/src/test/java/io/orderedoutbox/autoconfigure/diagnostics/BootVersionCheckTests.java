/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.diagnostics;

import io.orderedoutbox.OutboxConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A Spring Boot that is too old is named, with what is needed.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class BootVersionCheckTests {

	@ParameterizedTest
	@ValueSource(strings = { "3.5.8", "3.4.0-SNAPSHOT", "2.7.18", "4.0.3", "4.0.0", "4.0.0-RC1", "4.0.4-SNAPSHOT",
			"4.0", "3.10.0", "3" })
	void anOldOneIsRefusedByName(String version) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> BootVersionCheck.require(version))
			.withMessageContaining("Spring Boot 4.1 or newer")
			.withMessageContaining("Spring Boot " + version);
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "4.1.1", "4.1.0", "4.1", "4.1.0-RC1", "4.1.2-SNAPSHOT", "4", "", "unknown", "main.0" })
	void othersAreNot(String version, CapturedOutput output) {
		assertThatNoException().isThrownBy(() -> BootVersionCheck.require(version));
		assertThat(output).doesNotContain("WARN");
	}

	@ParameterizedTest
	@ValueSource(strings = { "4.2.0-M1", "4.2.0-SNAPSHOT", "4.10.0", "5.0.0", "5", "10.0.0" })
	void ofANewerOneItWarns(String version, CapturedOutput output) {
		assertThatNoException().isThrownBy(() -> BootVersionCheck.require(version));
		assertThat(output).contains("WARN", "has not been tested with Spring Boot " + version);
	}

	@Test
	void eachApplicationIsAsked() {
		assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(ApplicationContextInitializer.class))
			.hasAtLeastOneElementOfType(BootVersionCheck.class);
		assertThat(SpringBootVersion.getVersion()).isNotNull();
	}

}
