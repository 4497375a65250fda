/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.util.Map;

/**
 * What a verb is answered with.
 *
 * @param status the HTTP status
 * @param body what was done, or the problem
 */
public record VerbAnswer(int status, Object body) {

	static VerbAnswer problem(int status, String problem) {
		return new VerbAnswer(status, Map.of("problem", problem));
	}

}
