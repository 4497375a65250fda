/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.broker;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Tag("unit")
class ArrivalsTests {

	@Test
	void keysMayArriveInAnyOrderButEachInItsOwn() {
		assertThatCode(() -> arrive(new Arrivals(4, 2), 1, 0, 2, 3)).doesNotThrowAnyException();
	}

	@Test
	void anOvertakenMessageIsSeen() {
		assertThatIllegalStateException().isThrownBy(() -> arrive(new Arrivals(4, 2), 2, 1, 0, 3))
			.withMessage("Message 0 arrived after 2 of the same key");
	}

	@Test
	void whereTheOrderDoesNotMatterNothingIsOvertaken() {
		assertThatCode(() -> arrive(new Arrivals(4, 0), 3, 2, 1, 0)).doesNotThrowAnyException();
	}

	@Test
	void aLostMessageIsSeen() {
		assertThatIllegalStateException().isThrownBy(() -> arrive(new Arrivals(4, 2), 0, 1, 2))
			.withMessage("1 of 4 messages have not arrived");
	}

	@Test
	void aDoubledMessageIsSeen() {
		assertThatIllegalStateException().isThrownBy(() -> arrive(new Arrivals(3, 1), 0, 1, 1))
			.withMessageStartingWith("Message 1 arrived twice");
	}

	@Test
	void aForeignMessageIsSeen() {
		assertThatIllegalStateException().isThrownBy(() -> arrive(new Arrivals(2, 1), 0, 2))
			.withMessageStartingWith("Message 2 ");
	}

	private static void arrive(Arrivals arrivals, long... numbers) throws InterruptedException {
		for (long number : numbers) {
			arrivals.add(number);
		}
		arrivals.await(1);
	}

}
