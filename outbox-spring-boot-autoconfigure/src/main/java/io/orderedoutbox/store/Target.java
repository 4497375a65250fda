package io.orderedoutbox.store;

import java.util.ArrayList;
import java.util.List;

/**
 * A message or a dead letter that a verb aims at.
 */
record Target(long id, String messageId, String partitionKey, long bytes) {

	// What a transaction copies keeps the stripes of its keys, and the writers that wait
	// for them, for as long
	private static final long MAX_BYTES = 4 << 20;

	/**
	 * Divide targets into what one transaction can take, in order.
	 */
	static List<List<Target>> chunks(List<Target> targets) {
		List<List<Target>> chunks = new ArrayList<>();
		List<Target> chunk = new ArrayList<>();
		long bytes = 0;
		for (Target target : targets) {
			if (!chunk.isEmpty() && bytes + target.bytes() > MAX_BYTES) {
				chunks.add(chunk);
				chunk = new ArrayList<>();
				bytes = 0;
			}
			chunk.add(target);
			bytes += target.bytes();
		}
		if (!chunk.isEmpty()) {
			chunks.add(chunk);
		}
		return chunks;
	}

}
