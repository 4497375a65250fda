package io.orderedoutbox.jdbc.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.orderedoutbox.store.KeySequence;

/**
 * What a claim has read of one key, in order and without a gap from its head on; or one
 * message that is bound to no order.
 */
final class ClaimedSequence {

	private final OwnedPartition partition;

	private final long lane;

	private final boolean whole;

	private final List<ClaimedRow> rows = new ArrayList<>();

	/**
	 * Create an empty sequence.
	 * @param partition the partition of the key
	 * @param lane the lane of the key: below zero if it is parked, otherwise that of the
	 * partition
	 * @param whole whether the claim has read all that is in the lane of a parked key
	 */
	ClaimedSequence(OwnedPartition partition, long lane, boolean whole) {
		this.partition = partition;
		this.lane = lane;
		this.whole = whole;
	}

	OwnedPartition partition() {
		return this.partition;
	}

	long lane() {
		return this.lane;
	}

	boolean isParked() {
		return this.lane < 0;
	}

	boolean isWhole() {
		return this.whole;
	}

	/**
	 * The rows, in order. Not all of them need be sent.
	 */
	List<ClaimedRow> rows() {
		return this.rows;
	}

	/**
	 * The position of the first row.
	 */
	long head() {
		return this.rows.get(0).id();
	}

	void add(ClaimedRow row) {
		this.rows.add(row);
	}

	/**
	 * Take payloads that were not read with their rows.
	 * @param payloads payloads by position
	 */
	void load(Map<Long, byte[]> payloads) {
		this.rows.replaceAll((row) -> {
			byte[] payload = payloads.get(row.id());
			return (payload != null) ? row.with(payload) : row;
		});
	}

	/**
	 * The first rows, to be sent.
	 */
	KeySequence first(int length) {
		return new KeySequence(this.rows.stream().limit(length).map(ClaimedRow::message).toList());
	}

}
