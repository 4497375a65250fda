/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Instant;
import java.util.List;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.TimeRange;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A page of what operators have done, the last first.
 *
 * @param items what was done
 * @param next where the next page begins, {@code null} if there is none
 */
public record AuditDescriptor(List<Item> items, @Nullable String next) {

	private static final int MAX_SIZE = 200;

	static AuditDescriptor of(OperatorJournal journal, TimeRange range, @Nullable String after, int size) {
		Assert.isTrue(size >= 1 && size <= MAX_SIZE,
				() -> "'size' must be between 1 and %d, but is %d".formatted(MAX_SIZE, size));
		List<AuditEntry> found = journal.list(range, (after != null) ? before(after) : Long.MAX_VALUE, size + 1);
		List<AuditEntry> shown = found.subList(0, Math.min(size, found.size()));
		return new AuditDescriptor(shown.stream().map(Item::of).toList(),
				(found.size() > size) ? String.valueOf(shown.get(size - 1).id()) : null);
	}

	private static long before(String after) {
		try {
			return Long.parseLong(after);
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'after' must be where another page ended, but is '%s'".formatted(after),
					ex);
		}
	}

	/**
	 * What an operator has done.
	 *
	 * @param at when that was over
	 * @param operator who has done it
	 * @param verb what was done
	 * @param selection to what, in words
	 * @param affected how many messages were changed
	 * @param passedOver how many messages were passed over
	 * @param error what went wrong
	 */
	public record Item(Instant at, @Nullable String operator, String verb, String selection, long affected,
			long passedOver, @Nullable String error) {

		static Item of(AuditEntry entry) {
			return new Item(entry.at(), entry.action().operator(), entry.action().verb(), entry.action().selection(),
					entry.action().affected(), entry.action().passedOver(), entry.action().error());
		}

	}

}
