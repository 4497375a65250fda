/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

/**
 * An aggregate that registers an event for each of its changes. Two of them may not have
 * the same reference.
 */
interface Order {

	void change(OrderChanged event);

}
