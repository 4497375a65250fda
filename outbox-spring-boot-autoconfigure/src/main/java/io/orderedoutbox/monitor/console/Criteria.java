/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.admin.MessageExport;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.MessageState;
import io.orderedoutbox.admin.TimeRange;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Which messages a client asks for, as its request says.
 *
 * @param id a message id
 * @param key a partition key, empty for the messages that have none
 * @param name a name
 * @param group the name of a group of what has failed
 * @param all whether all are meant
 * @param from since when they were stored, published or dead
 * @param until before when
 */
public record Criteria(@Nullable String id, @Nullable String key, @Nullable String name, @Nullable String group,
		@Nullable Boolean all, @Nullable String from, @Nullable String until) {

	Criteria(@Nullable String id, @Nullable String key, @Nullable String name, @Nullable String group,
			@Nullable Boolean all) {
		this(id, key, name, group, all, null, null);
	}

	boolean namesMessages() {
		return this.id != null || this.key != null || this.name != null || this.group != null;
	}

	/**
	 * What a list is narrowed to: everything if nothing is said.
	 */
	MessageSelection ofList() {
		List<MessageSelection> selections = selections();
		Assert.isTrue(selections.size() <= 1, "Only one of 'id', 'key', 'name' and 'group' can be given");
		return selections.isEmpty() ? MessageSelection.all() : selections.get(0);
	}

	/**
	 * What is exported: all of the list if nothing is said.
	 */
	MessageExport export(MessageState state, @Nullable Long limit, boolean withPayloads) {
		return new MessageExport(state, ofList(), range(), (limit != null) ? limit : Long.MAX_VALUE, withPayloads);
	}

	/**
	 * What a verb is applied to: nothing is taken for granted.
	 */
	MessageSelection ofVerb() {
		List<MessageSelection> selections = selections();
		if (Boolean.TRUE.equals(this.all)) {
			selections.add(MessageSelection.all());
		}
		Assert.isTrue(selections.size() == 1,
				"Say which messages are meant: exactly one of 'id', 'key', 'name', 'group' and 'all' must be given");
		return selections.get(0);
	}

	/**
	 * What is replayed: all of a range of time is meant without another word.
	 */
	MessageSelection ofReplay() {
		boolean isOfTime = this.from != null || this.until != null;
		return (isOfTime && !namesMessages() && this.all == null) ? MessageSelection.all() : ofVerb();
	}

	/**
	 * The range of time.
	 */
	TimeRange range() {
		return new TimeRange(instant("from", this.from), instant("until", this.until));
	}

	private static @Nullable Instant instant(String name, @Nullable String value) {
		try {
			return (value != null) ? Instant.parse(value) : null;
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException(
					"'%s' must be a time such as 2026-11-22T01:02:03Z, but is '%s'".formatted(name, value), ex);
		}
	}

	/**
	 * What a verb is applied to that takes no range of time.
	 */
	MessageSelection ofTimelessVerb() {
		Assert.isTrue(this.from == null && this.until == null,
				"'from' and 'until' are for lists and for 'replay' only");
		return ofVerb();
	}

	/**
	 * What is rerouted: those that go somewhere are meant without another word.
	 * @param origin whether it is said where they go
	 */
	MessageSelection ofReroute(boolean origin) {
		return (origin && !namesMessages() && this.all == null) ? MessageSelection.all() : ofTimelessVerb();
	}

	private List<MessageSelection> selections() {
		List<MessageSelection> selections = new ArrayList<>();
		if (this.id != null) {
			selections.add(MessageSelection.message(this.id));
		}
		if (this.key != null) {
			selections.add(this.key.isEmpty() ? MessageSelection.withoutKey() : MessageSelection.key(this.key));
		}
		if (this.name != null) {
			selections.add(MessageSelection.name(this.name));
		}
		if (this.group != null) {
			selections.add(MessageSelection.group(this.group));
		}
		return selections;
	}

}
