/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.orderedoutbox.jdbc.MessageRow;
import io.orderedoutbox.store.StoredMessage;

/**
 * A row that a claim has read.
 *
 * @param message the message, without its payload if that is too large to be read with it
 * @param key the key that binds it to an order, empty if there is none
 * @param lane the lane in which it was read
 * @param payloadSize the size of its payload
 * @param isDue whether the time has come before which it is not sent
 */
record ClaimedRow(StoredMessage message, String key, long lane, long payloadSize, boolean isDue) {

	static ClaimedRow read(ResultSet rs, ClaimSettings settings) throws SQLException {
		StoredMessage message = MessageRow.read(rs);
		return new ClaimedRow(message, settings.bindingKey(message.message().partitionKey()),
				rs.getLong(MessageRow.NEXT_COLUMN), rs.getLong(MessageRow.NEXT_COLUMN + 1),
				rs.getBoolean(MessageRow.NEXT_COLUMN + 2));
	}

	long id() {
		return this.message.id();
	}

	/**
	 * Whether it was read in the lane of a parked key. Of the sequence of such a key some
	 * rows may still be in the lane of the partition.
	 */
	boolean isInParkedLane() {
		return this.lane < 0;
	}

	boolean hasPayload() {
		return this.message.message().payload().length == this.payloadSize;
	}

	ClaimedRow with(byte[] payload) {
		return new ClaimedRow(this.message.with(this.message.message().withPayload(payload)), this.key, this.lane,
				this.payloadSize, this.isDue);
	}

}
