package io.orderedoutbox.store;

import java.util.Collection;
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

	/**
	 * Return how many messages there are in some runs.
	 * @param runs the runs
	 * @return the number of their messages together
	 */
	public static int count(Collection<Run> runs) {
		return runs.stream().mapToInt((run) -> run.messages.size()).sum();
	}

}
