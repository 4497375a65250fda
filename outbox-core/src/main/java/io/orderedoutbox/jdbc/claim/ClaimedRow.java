package io.orderedoutbox.jdbc.claim;

import java.sql.ResultSet;
import java.sql.SQLException;

import io.orderedoutbox.jdbc.MessageRow;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

/**
 * A row that a claim has read.
 *
 * @param message the message, without its payload if that is too large to be read with it
 * @param key the key that binds it to an order, empty if there is none
 * @param lane the lane in which it was read
 * @param payloadSize the size of its payload
 */
record ClaimedRow(StoredMessage message, String key, long lane, long payloadSize) {

	static ClaimedRow read(ResultSet rs, ClaimSettings settings) throws SQLException {
		StoredMessage message = MessageRow.read(rs);
		return new ClaimedRow(message, settings.bindingKey(message.message().partitionKey()),
				rs.getLong(MessageRow.NEXT_COLUMN), rs.getLong(MessageRow.NEXT_COLUMN + 1));
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
		Message without = this.message.message();
		Message whole = new Message(without.messageId(), without.name(), without.partitionKey(), without.destination(),
				without.contentType(), payload, without.headers());
		return new ClaimedRow(new StoredMessage(id(), whole, this.message.createdAt(), this.message.attempts(),
				this.message.defect(), this.message.irremovable()), this.key, this.lane, this.payloadSize);
	}

}
