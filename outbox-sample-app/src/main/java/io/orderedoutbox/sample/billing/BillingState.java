/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How billing is doing.
 *
 * @param failing for which orders the handler fails, null for none
 * @param billed lines of all invoices, whatever instance has written them
 * @param processed messages that this instance has processed since its start
 * @param duplicates messages that came again, and were not processed again here
 * @param failed attempts that have failed here
 * @param shards the queues
 * @param invoices some invoices of the newest orders, those first from which lines are
 * missing
 */
public record BillingState(@Nullable Failing failing, long billed, long processed, long duplicates, long failed,
		List<Shard> shards, List<Invoice> invoices) {
}
