/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What of an error is stored and shown.
 */
@Tag("unit")
class ErrorTextTests {

	private static final String ROCKET = "\uD83D\uDE80";

	@Test
	void saysClassAndMessage() {
		assertThat(ErrorText.of(new IllegalStateException("no such thing")))
			.isEqualTo("java.lang.IllegalStateException: no such thing");
		assertThat(ErrorText.of(new StackOverflowError())).isEqualTo("java.lang.StackOverflowError");
	}

	@Test
	void namesAtLeastTheClassOfAnExceptionThatCannotSpeakForItself() {
		RuntimeException mute = new RuntimeException("never seen") {

			private static final long serialVersionUID = 1L;

			@Override
			public String getMessage() {
				throw new IllegalStateException("no message");
			}

		};
		RuntimeException empty = new RuntimeException("never seen") {

			private static final long serialVersionUID = 1L;

			@Override
			public String toString() {
				return null;
			}

		};
		assertThat(ErrorText.of(mute)).isEqualTo(mute.getClass().getName());
		assertThat(ErrorText.of(empty)).isEqualTo(empty.getClass().getName());
	}

	@Test
	void leavesOrdinaryTextAlone() {
		String text = "Größe 4 – 日本語 " + ROCKET + " 'quoted' \"twice\" \\ % {}";
		assertThat(ErrorText.bounded(text)).isEqualTo(text);
		assertThat(ErrorText.bounded("")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "\n", "\r", "\t", "\u0000", "\u001b", "\u007f", "\u0085", "\u009b" })
	void replacesControlCharacters(String control) {
		assertThat(ErrorText.bounded("a" + control + "b")).isEqualTo("a b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\u2028", "\u2029", "\u202e", "\u2066" })
	void replacesWhatBreaksOrTurnsALine(String character) {
		assertThat(ErrorText.bounded("a" + character + "b")).isEqualTo("a b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\uD83Db", "a\uDE80b", "\uD83D", "\uDE80\uD83D" })
	void replacesUnpairedSurrogates(String broken) {
		String text = ErrorText.bounded(broken);
		assertThat(text).contains("?").hasSize(broken.length());
		assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)).isEqualTo(text);
	}

	@Test
	void isBoundedInCharactersAsTheDatabaseCountsThem() {
		assertThat(ErrorText.bounded("x".repeat(1000))).hasSize(1000);
		assertThat(ErrorText.bounded("x".repeat(1001))).isEqualTo("x".repeat(1000));
		assertThat(ErrorText.bounded(ROCKET.repeat(1000))).isEqualTo(ROCKET.repeat(1000));
		assertThat(ErrorText.bounded(ROCKET.repeat(1001))).isEqualTo(ROCKET.repeat(1000));
		assertThat(ErrorText.bounded("x" + ROCKET.repeat(1_000_000))).isEqualTo("x" + ROCKET.repeat(999));
	}

}
