/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.Locale;

import org.springframework.util.Assert;

/**
 * Which messages are read with all that they carry.
 *
 * @param state in which state they are
 * @param selection which of them
 * @param range of which time, as for {@linkplain OutboxAdministration#list lists}
 * @param limit how many at most
 * @param withPayloads whether their payloads are read, which are empty otherwise
 */
public record MessageExport(MessageState state, MessageSelection selection, TimeRange range, long limit,
		boolean withPayloads) {

	/**
	 * Create an export.
	 * @throws IllegalArgumentException if the limit makes no sense
	 */
	public MessageExport {
		Assert.isTrue(limit > 0, () -> "'limit' must be positive, but is " + limit);
	}

	/**
	 * Return an export of all messages of a state, with their payloads.
	 * @param state the state
	 * @return the export
	 */
	public static MessageExport of(MessageState state) {
		return new MessageExport(state, MessageSelection.all(), TimeRange.ALWAYS, Long.MAX_VALUE, true);
	}

	/**
	 * Return the export of some of the messages.
	 * @param some which of them
	 * @return a new export
	 */
	public MessageExport selecting(MessageSelection some) {
		return new MessageExport(this.state, some, this.range, this.limit, this.withPayloads);
	}

	/**
	 * Return the export of the messages of a range of time.
	 * @param time of which time
	 * @return a new export
	 */
	public MessageExport during(TimeRange time) {
		return new MessageExport(this.state, this.selection, time, this.limit, this.withPayloads);
	}

	/**
	 * Return the export of the first messages.
	 * @param messages how many at most
	 * @return a new export
	 * @throws IllegalArgumentException if the number is not positive
	 */
	public MessageExport atMost(long messages) {
		return new MessageExport(this.state, this.selection, this.range, messages, this.withPayloads);
	}

	/**
	 * Return the export that reads no payload.
	 * @return a new export
	 */
	public MessageExport withoutPayloads() {
		return new MessageExport(this.state, this.selection, this.range, this.limit, false);
	}

	/**
	 * Return how the export is named in logs, on one line.
	 */
	@Override
	public String toString() {
		String when = this.range.isAlways() ? "" : " " + this.range;
		return "%s messages, %s%s%s".formatted(this.state.name().toLowerCase(Locale.ROOT), this.selection, when,
				this.withPayloads ? "" : ", without payloads");
	}

}
