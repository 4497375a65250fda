/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.listener;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import io.orderedoutbox.inbox.listener.KeyDispatcher.Work;

/**
 * Counts by queue what a container has tried again and given up.
 */
final class ShardRetryCounts {

	private final Map<String, LongAdder> retried = new ConcurrentHashMap<>();

	private final Map<String, LongAdder> deadLettered = new ConcurrentHashMap<>();

	void retried(String queue) {
		this.retried.computeIfAbsent(queue, (any) -> new LongAdder()).increment();
	}

	void deadLettered(String queue) {
		this.deadLettered.computeIfAbsent(queue, (any) -> new LongAdder()).increment();
	}

	/**
	 * Return them beside what is held now.
	 * @param held the works of each key that is held
	 */
	List<QueueRetries> with(List<List<Work>> held) {
		Map<String, QueueRetries> all = new ConcurrentHashMap<>();
		TreeSet<String> queues = new TreeSet<>(this.retried.keySet());
		queues.addAll(this.deadLettered.keySet());
		queues.forEach((queue) -> all.put(queue,
				new QueueRetries(queue, 0, 0, sum(this.retried, queue), sum(this.deadLettered, queue))));
		for (List<Work> works : held) {
			String queue = works.get(0).queue();
			all.merge(queue, new QueueRetries(queue, 1, works.size(), 0, 0), QueueRetries::plus);
		}
		return new ArrayList<>(all.values());
	}

	private static long sum(Map<String, LongAdder> counts, String queue) {
		LongAdder count = counts.get(queue);
		return (count != null) ? count.sum() : 0;
	}

}
