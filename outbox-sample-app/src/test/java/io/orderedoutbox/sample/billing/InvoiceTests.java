/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Invoice}.
 */
@Tag("unit")
class InvoiceTests {

	@Test
	void eachEventOnceAndInOrderIsWhatItShouldBe() {
		assertThat(invoice().isInOrder()).isTrue();
		assertThat(invoice(1, 2).isInOrder()).isTrue();
		assertThat(invoice(1, 2).isComplete()).isFalse();
		assertThat(invoice(1, 2, 3).isComplete()).isTrue();
		assertThat(invoice(1, 2, 3).amount()).isEqualByComparingTo("30");
	}

	@Test
	void anEventThatIsMissingOrThereTwiceOrTooEarlyIsSeen() {
		assertThat(invoice(2).isInOrder()).isFalse();
		assertThat(invoice(1, 1, 2).isInOrder()).isFalse();
		assertThat(invoice(1, 3, 2).isInOrder()).isFalse();
	}

	@Test
	void itKnowsWhetherTheHandlerFailsForItsOrder() {
		Invoice invoice = invoice(1);
		assertThat(invoice.with(null).failing()).isFalse();
		assertThat(invoice.with(new Failing(null, 1)).failing()).isTrue();
		assertThat(invoice.with(new Failing(invoice.orderId(), null)).failing()).isTrue();
		assertThat(invoice.with(new Failing(UUID.randomUUID(), null)).failing()).isFalse();
	}

	private static Invoice invoice(long... versions) {
		Invoice invoice = new Invoice(UUID.randomUUID(), 1, "Ada", 3, List.of(), BigDecimal.ZERO,
				new BigDecimal("30.00"), false);
		for (long version : versions) {
			invoice = invoice.with(version, BigDecimal.TEN);
		}
		return invoice;
	}

}
