/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.application;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.benchmark.load.Payloads;

/**
 * An event as an application publishes it.
 *
 * @param number counts the events of a run, from zero
 * @param account what it is about
 * @param text makes it as large as wanted
 */
@OutboxMessage("benchmark.message")
@JsonPropertyOrder({ "number", "account", "text" })
public record AccountChanged(long number, @PartitionKey int account, String text) {

	// What the JSON of an event has besides its text
	private static final int OTHERS = 50;

	public static AccountChanged of(long number, int account, Payloads payloads) {
		return new AccountChanged(number, account, "x".repeat(payloads.bytes() - OTHERS));
	}

}
