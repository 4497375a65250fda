/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.util.List;

/**
 * What has failed, grouped by destination and cause.
 *
 * @param groups the groups, at most {@value #MAX_GROUPS}: those first for which most keys
 * wait, then those with most dead letters
 * @param more whether there is more: more groups, or more parked keys or dead letters
 * than the first {@value OutboxFigures#MAX_FAILED} of each, which are looked at
 */
public record FailureGroups(List<FailureGroup> groups, boolean more) {

	/**
	 * Greatest number of groups.
	 */
	public static final int MAX_GROUPS = 100;

	/**
	 * Create groups.
	 */
	public FailureGroups {
		groups = List.copyOf(groups);
	}

}
