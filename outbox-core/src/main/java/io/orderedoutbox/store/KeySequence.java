package io.orderedoutbox.store;

import java.util.Collection;
import java.util.List;

/**
 * The head of a partition key and messages that follow it without a gap, in order; or one
 * message that is bound to no order.
 *
 * @param messages the messages, at least one
 */
public record KeySequence(List<StoredMessage> messages) {

	/**
	 * Create a sequence.
	 */
	public KeySequence {
		messages = List.copyOf(messages);
	}

	/**
	 * Return how many messages there are in some sequences.
	 * @param sequences the sequences
	 * @return the number of their messages together
	 */
	public static int count(Collection<KeySequence> sequences) {
		return sequences.stream().mapToInt((sequence) -> sequence.messages.size()).sum();
	}

}
