/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import io.orderedoutbox.inbox.shard.ShardQueues;

/**
 * Dead letters are to be replayed or removed while others of the same shards are, in this
 * instance or in another one. Nothing was done: repeat the call when that has ended.
 */
public final class ReplayRunningException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	ReplayRunningException(String instance, ShardQueues shards) {
		super("%s replays the dead letters of '%s', or removes one. Repeat this when that has ended".formatted(instance,
				shards.name()));
	}

}
