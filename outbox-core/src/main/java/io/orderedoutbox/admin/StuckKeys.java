package io.orderedoutbox.admin;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What is stuck, and why. Counting ends at the limits of {@link OutboxFigures}.
 *
 * @param stalled how many partition keys wait for another attempt
 * @param blocked how many partition keys wait for an operator
 * @param deadLetters how many dead letters there are
 * @param oldest when the oldest of the messages was stored that hold these keys,
 * {@code null} if no key is stuck
 * @param causes the causes with their destinations, the most frequent one first
 */
public record StuckKeys(BoundedCount stalled, BoundedCount blocked, BoundedCount deadLetters, @Nullable Instant oldest,
		List<StuckCause> causes) {

	/**
	 * Create it.
	 */
	public StuckKeys {
		causes = List.copyOf(causes);
	}

}
