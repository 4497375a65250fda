/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.store;

import java.util.ArrayList;
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
	 * Return the first messages of some sequences.
	 * @param sequences the sequences
	 * @param most how many messages at most
	 * @return sequences with so many of their messages together, in the same order
	 */
	public static List<KeySequence> first(Collection<KeySequence> sequences, int most) {
		List<KeySequence> first = new ArrayList<>();
		int left = most;
		for (KeySequence sequence : sequences) {
			int taken = Math.min(left, sequence.messages.size());
			if (taken > 0) {
				first.add(new KeySequence(sequence.messages.subList(0, taken)));
				left -= taken;
			}
		}
		return first;
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
