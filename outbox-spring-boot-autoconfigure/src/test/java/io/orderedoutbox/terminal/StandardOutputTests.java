/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import io.orderedoutbox.terminal.Terminal.Size;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StandardOutput}. That of the tests is a pipe.
 */
@Tag("unit")
class StandardOutputTests {

	@Test
	void aPipeIsNoTerminal() {
		assertThat(StandardOutput.isTerminal(System.console())).isFalse();
		assertThat(new StandardOutput().size()).isNull();
	}

	@Test
	void understandsStty() {
		assertThat(StandardOutput.parse("24 80\n")).isEqualTo(new Size(24, 80));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "", "0 0", "80", "stty: standard input: Inappropriate ioctl for device", "24 80 1", "-1 5" })
	void whatIsNoSizeIsNone(String answer) {
		assertThat(StandardOutput.parse(answer)).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "xterm-256color", "screen", "linux" })
	void mostTerminalsCanBeSteered(String type) {
		assertThat(StandardOutput.canBeSteered(type)).isTrue();
	}

	@Test
	void theOthersAreLeftAlone() {
		assertThat(StandardOutput.canBeSteered(null)).isFalse();
		assertThat(StandardOutput.canBeSteered("")).isFalse();
		assertThat(StandardOutput.canBeSteered("dumb")).isFalse();
	}

}
