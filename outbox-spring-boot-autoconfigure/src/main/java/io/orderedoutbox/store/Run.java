package io.orderedoutbox.store;

import java.util.List;

/**
 * The head of a partition key and messages that follow it without a gap, in order; or one
 * message that is bound to no order.
 *
 * @param messages the messages, at least one
 */
public record Run(List<StoredMessage> messages) {

	/**
	 * Create a run.
	 */
	public Run {
		messages = List.copyOf(messages);
	}

}
