package io.orderedoutbox.store;

import java.time.Duration;
import java.util.List;

import org.springframework.util.unit.DataSize;

/**
 * How much a claim takes, and how long it may be silent.
 *
 * @param ordered whether partition keys bind messages to an order
 * @param batchSize greatest number of messages in a claim
 * @param batchBytes greatest size of their payloads together; a single larger message is
 * a claim of its own
 * @param lockTimeout how long the database waits for a sign of life from the owner of a
 * claim before it frees the locks; for hosts that vanish without closing their connection
 */
public record ClaimSettings(boolean ordered, int batchSize, DataSize batchBytes, Duration lockTimeout) {

	/**
	 * Longest run of one key in a claim that others could fill: a key with a large
	 * backlog leaves room for them.
	 */
	int maxRun() {
		return Math.max(1, this.batchSize / 4);
	}

	/**
	 * Whether this is worth a claim, and not worth another look.
	 */
	boolean isEnough(List<Candidate> runs) {
		return Candidate.messages(runs) * 2 >= this.batchSize;
	}

	/**
	 * Whether these keys might hide for ever that there are others elsewhere.
	 */
	boolean isOfFewKeys(List<Candidate> runs) {
		return Candidate.messages(runs, maxRun()) * 2 < this.batchSize;
	}

}
