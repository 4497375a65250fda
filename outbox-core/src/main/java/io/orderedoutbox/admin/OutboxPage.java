/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Part of a list.
 *
 * @param messages what is on this page
 * @param next where the next page begins, {@code null} if there is none
 */
public record OutboxPage(List<MessageSummary> messages, @Nullable String next) {

	/**
	 * Create a page.
	 */
	public OutboxPage {
		messages = List.copyOf(messages);
	}

}
