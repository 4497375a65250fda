/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.List;

/**
 * Tells what this instance holds back of the messages of shards, because it tries some of
 * them again. Whatever retries, such as a container factory, is a bean of this type;
 * metrics, endpoint and page show what all such beans tell.
 */
@FunctionalInterface
public interface ShardRetries {

	/**
	 * Return what is held back now, and what has happened since the start. Called at any
	 * time, on any thread: it must return at once, and ask neither broker nor database.
	 * @return at most one entry for each queue; a queue that is missing has nothing
	 */
	List<QueueRetries> retries();

}
