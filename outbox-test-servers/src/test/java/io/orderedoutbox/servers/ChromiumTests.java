/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Chromium}: where a browser is required, nothing is skipped for want of
 * one.
 */
@Tag("unit")
class ChromiumTests {

	@Test
	void aMissingBrowserIsNoFailureUntilItIsRequired() {
		assertThat(Chromium.isThere(Optional.empty(), null)).isFalse();
		assertThat(Chromium.isThere(Optional.empty(), "")).isFalse();
		assertThatIllegalStateException().isThrownBy(() -> Chromium.isThere(Optional.empty(), "required"))
			.withMessageContaining("apt-get install chromium");
	}

	@Test
	void aBrowserThatIsThereIsUsed() {
		assertThat(Chromium.isThere(Optional.of("/usr/bin/chromium"), null)).isTrue();
		assertThat(Chromium.isThere(Optional.of("/usr/bin/chromium"), "required")).isTrue();
	}

	@Test
	void anyOtherSettingIsAMistake() {
		assertThatIllegalStateException().isThrownBy(() -> Chromium.isThere(Optional.empty(), "yes"))
			.withMessageContaining("'required'")
			.withMessageContaining("'yes'");
	}

}
