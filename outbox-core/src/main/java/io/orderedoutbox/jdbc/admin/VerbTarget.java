package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A message or a dead letter that a verb is to change.
 *
 * @param position its place in the order in which a verb goes through them
 * @param id its id in its table
 * @param partition the partition of a message
 * @param messageId its message id
 * @param partitionKey its partition key
 * @param bytes the size of its payload
 */
record VerbTarget(long position, long id, int partition, String messageId, String partitionKey, long bytes) {

	// What a transaction copies keeps the stripes of its keys, and the writers that wait
	// for them, for as long
	private static final long MAX_BYTES = 4 << 20;

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
