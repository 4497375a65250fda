/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import io.orderedoutbox.Destination;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.admin.MessageSelection.By;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Which messages of the archive are sent again, where to, and how fast.
 *
 * @param selection which messages, no group
 * @param published when they were published
 * @param exchange the exchange that they go to instead of that of each, {@code null} for
 * the same as before. Routing keys stay
 * @param perSecond how many messages are put into the outbox in a second, zero for as
 * many as it can take
 */
public record ArchiveReplay(MessageSelection selection, TimeRange published, @Nullable String exchange, int perSecond) {

	/**
	 * How many messages are put into the outbox in a second if nothing else is said.
	 */
	public static final int DEFAULT_PER_SECOND = 1000;

	/**
	 * Create a replay.
	 * @throws IllegalArgumentException if something makes no sense
	 */
	public ArchiveReplay {
		Assert.isTrue(selection.by() != By.GROUP,
				"A group of failures cannot be replayed: what is archived was published");
		Assert.isTrue(perSecond >= 0, () -> "'perSecond' must not be negative, but is " + perSecond);
		if (exchange != null) {
			new Destination(exchange, "");
		}
	}

	/**
	 * Return a replay of messages, of whatever time, to where they went.
	 * @param selection which messages
	 * @return the replay
	 */
	public static ArchiveReplay of(MessageSelection selection) {
		return new ArchiveReplay(selection, TimeRange.ALWAYS, null, DEFAULT_PER_SECOND);
	}

	/**
	 * Return the replay of what was published in a range of time.
	 * @param range when
	 * @return a new replay
	 */
	public ArchiveReplay published(TimeRange range) {
		return new ArchiveReplay(this.selection, range, this.exchange, this.perSecond);
	}

	/**
	 * Return the replay to another exchange, where consumers of this replay alone can
	 * take the messages.
	 * @param other the exchange
	 * @return a new replay
	 */
	public ArchiveReplay onto(String other) {
		return new ArchiveReplay(this.selection, this.published, other, this.perSecond);
	}

	/**
	 * Return the replay at another pace.
	 * @param messages how many in a second, zero for no limit
	 * @return a new replay
	 */
	public ArchiveReplay atMostPerSecond(int messages) {
		return new ArchiveReplay(this.selection, this.published, this.exchange, messages);
	}

	/**
	 * Return how the replay is named in logs, on one line.
	 * @see HeaderStamp#REPLAYED_AT_HEADER
	 */
	@Override
	public String toString() {
		String when = this.published.isAlways() ? "" : " published " + this.published;
		String where = (this.exchange != null)
				? " onto exchange '%s'".formatted(this.exchange.replaceAll("\\p{Cntrl}", "?")) : "";
		return this.selection + when + where;
	}

}
