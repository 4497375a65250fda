/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

import io.orderedoutbox.admin.MessageSelection;

/**
 * A message or a dead letter that a verb is to change.
 *
 * @param position its place in the order in which a verb goes through them
 * @param id its id in its table
 * @param partition the partition of a message
 * @param messageId its message id
 * @param partitionKey its partition key
 * @param bytes the size of its payload
 * @param failure how it has failed
 */
record VerbTarget(long position, long id, int partition, String messageId, String partitionKey, long bytes,
		Failure failure) {

	// What a transaction copies keeps the stripes of its keys, and the writers that wait
	// for them, for as long
	private static final long MAX_BYTES = 4 << 20;

	// Relays go on with the others, also while a verb waits for one of these
	private static final int MAX_PARTITIONS = 8;

	/**
	 * A target that is selected without regard to how it has failed.
	 */
	VerbTarget(long position, long id, int partition, String messageId, String partitionKey, long bytes) {
		this(position, id, partition, messageId, partitionKey, bytes, Failure.UNKNOWN);
	}

	/**
	 * Divide targets into what one transaction can take that locks their partitions: by
	 * partition, unless these are few.
	 */
	static List<List<VerbTarget>> ofFewPartitions(List<VerbTarget> targets) {
		boolean few = partitions(targets).size() <= MAX_PARTITIONS;
		return chunks(few ? targets : targets.stream().sorted(Comparator.comparingInt(VerbTarget::partition)).toList(),
				MAX_PARTITIONS);
	}

	/**
	 * The partitions of some targets.
	 */
	static Set<Integer> partitions(List<VerbTarget> targets) {
		return targets.stream().map(VerbTarget::partition).collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * The next targets that are selected. Where statements cannot tell them from others,
	 * a page can be short, even if there are more behind it; it is empty at the end only.
	 * @param limit how many at most
	 * @param after the position behind which to look
	 * @param read reads the next targets behind a position, selected or not
	 */
	static List<VerbTarget> selected(MessageSelection selection, int limit, long after,
			LongFunction<List<VerbTarget>> read) {
		long from = after;
		while (true) {
			List<VerbTarget> page = read.apply(from);
			List<VerbTarget> selected = page.stream()
				.filter((target) -> SelectionFragments.selects(selection, target.failure()))
				.toList();
			if (!selected.isEmpty() || page.size() < limit) {
				return selected;
			}
			from = page.get(page.size() - 1).position();
		}
	}

	/**
	 * Divide targets into what one transaction can take, in order.
	 * @param maxPartitions how many partitions a transaction can take
	 */
	static List<List<VerbTarget>> chunks(List<VerbTarget> targets, int maxPartitions) {
		List<List<VerbTarget>> chunks = new ArrayList<>();
		List<VerbTarget> chunk = new ArrayList<>();
		Set<Integer> partitions = new HashSet<>();
		long bytes = 0;
		for (VerbTarget target : targets) {
			boolean isFull = bytes + target.bytes() > MAX_BYTES
					|| (partitions.size() == maxPartitions && !partitions.contains(target.partition()));
			if (!chunk.isEmpty() && isFull) {
				chunks.add(chunk);
				chunk = new ArrayList<>();
				partitions.clear();
				bytes = 0;
			}
			chunk.add(target);
			partitions.add(target.partition());
			bytes += target.bytes();
		}
		if (!chunk.isEmpty()) {
			chunks.add(chunk);
		}
		return chunks;
	}

	/**
	 * How statements name some targets.
	 */
	static String ids(List<VerbTarget> targets) {
		return targets.stream().map(VerbTarget::id).toList().toString();
	}

}
