/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.List;

import io.orderedoutbox.admin.OutboxPage;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list.
 *
 * @param items the messages
 * @param next where the next part begins, {@code null} if there is none
 */
public record ListDescriptor(List<MessageDescriptor> items, @Nullable String next) {

	static ListDescriptor of(OutboxPage page) {
		return new ListDescriptor(page.messages().stream().map(MessageDescriptor::listed).toList(), page.next());
	}

}
