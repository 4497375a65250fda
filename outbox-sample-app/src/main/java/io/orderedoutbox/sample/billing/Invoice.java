/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

import org.jspecify.annotations.Nullable;

/**
 * The invoice of an order.
 *
 * @param orderId the order
 * @param number the number of the order, for people
 * @param customer who pays
 * @param events how many events of the order were committed
 * @param billed the versions of the events that have a line, in the order in which the
 * lines were written
 * @param amount the sum of the lines
 * @param total what the order costs, nothing if it was cancelled
 * @param failing whether the handler fails for the order at present
 */
public record Invoice(UUID orderId, long number, String customer, long events, List<Long> billed, BigDecimal amount,
		BigDecimal total, boolean failing) {

	/**
	 * Return whether each event of the order has a line.
	 * @return {@code true} if no line is missing
	 */
	public boolean isComplete() {
		return this.billed.size() >= this.events;
	}

	/**
	 * Return whether each event so far was billed once and in order.
	 * @return {@code true} if the lines are those of the versions from 1, without a hole
	 */
	public boolean isInOrder() {
		return this.billed.equals(LongStream.rangeClosed(1, this.billed.size()).boxed().toList());
	}

	Invoice with(long version, BigDecimal lineAmount) {
		List<Long> versions = new ArrayList<>(this.billed);
		versions.add(version);
		return new Invoice(this.orderId, this.number, this.customer, this.events, versions, this.amount.add(lineAmount),
				this.total, this.failing);
	}

	Invoice with(@Nullable Failing failingNow) {
		return new Invoice(this.orderId, this.number, this.customer, this.events, this.billed, this.amount, this.total,
				failingNow != null && failingNow.isFor(this.orderId));
	}

}
