/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.load;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LoadRequest}.
 */
@Tag("unit")
class LoadRequestTests {

	@Test
	void theButtonAsksForAThousandEventsOverFiftyOrders() {
		assertThat(LoadRequest.standard()).isEqualTo(new LoadRequest(1000, 50, 8));
	}

	@ParameterizedTest
	@CsvSource({ "1000, 0, 8", "1000, 1001, 8", "99, 50, 8", "20001, 50, 8", "1000, 50, 0", "1000, 50, 17" })
	void tooLittleAndTooMuchAreRefused(int events, int orders, int threads) {
		assertThatIllegalArgumentException().isThrownBy(() -> new LoadRequest(events, orders, threads));
	}

}
