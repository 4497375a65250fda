/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

/**
 * Dead letters could not be replayed or removed, because the broker or the database has
 * failed. Some may be done, the others stay where they are: the call can be repeated.
 */
public final class ReplayFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	ReplayFailedException(String server, RuntimeException cause) {
		super("%s does not do it: %s".formatted(server, ShardDeadLetters.reason(cause)), cause);
	}

}
