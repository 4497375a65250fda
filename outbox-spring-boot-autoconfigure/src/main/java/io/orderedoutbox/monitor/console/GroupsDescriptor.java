/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.time.Instant;
import java.util.List;

import io.orderedoutbox.admin.FailureGroup;
import io.orderedoutbox.admin.FailureGroups;

/**
 * What has failed, grouped by destination and cause.
 *
 * @param items the groups, those first for which most keys wait
 * @param more whether there is more than was looked at
 */
public record GroupsDescriptor(List<GroupDescriptor> items, boolean more) {

	static GroupsDescriptor of(FailureGroups groups) {
		return new GroupsDescriptor(groups.groups().stream().map(GroupDescriptor::of).toList(), groups.more());
	}

	/**
	 * What has failed for one destination and one cause.
	 *
	 * @param group its name, which a verb takes
	 * @param exchange the exchange, empty for the default one
	 * @param cause why, with {@code #} for ids and numbers
	 * @param keys how many partition keys wait: those that are stalled, and those that
	 * are blocked
	 * @param stalled how many partition keys wait for another attempt
	 * @param blocked how many partition keys wait for an operator
	 * @param deadLetters how many dead letters there are
	 * @param oldest when the oldest of the messages was stored
	 * @param example one of the messages
	 */
	public record GroupDescriptor(String group, String exchange, String cause, long keys, long stalled, long blocked,
			long deadLetters, Instant oldest, MessageDescriptor example) {

		static GroupDescriptor of(FailureGroup group) {
			return new GroupDescriptor(group.group(), group.exchange(), group.cause(), group.keys(), group.stalled(),
					group.blocked(), group.deadLetters(), group.oldest(), MessageDescriptor.of(group.example(), null));
		}

	}

}
