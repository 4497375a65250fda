package io.orderedoutbox;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How the outbox is doing, at one moment and by the clock of the database. Counting ends
 * at a limit, so that it costs milliseconds however much there is.
 *
 * @param backlog how many messages are in the outbox, counted up to {@value #MAX_BACKLOG}
 * @param stalled how many messages have failed and will be tried again, among the first
 * {@value #MAX_FAILED} that have failed
 * @param blocked how many messages have failed and wait for an operator, among the same
 * @param deadLetters how many dead letters there are, counted up to
 * {@value #MAX_DEAD_LETTERS}
 * @param oldest how long the oldest message has been in the outbox, {@code null} if it is
 * empty
 * @param lag how long the oldest message that a relay may take has been there,
 * {@code null} if there is none among the first {@value #MAX_EXAMINED}
 */
public record OutboxFigures(BoundedCount backlog, BoundedCount stalled, BoundedCount blocked, BoundedCount deadLetters,
		@Nullable Duration oldest, @Nullable Duration lag) {

	/**
	 * Where counting the messages in the outbox ends.
	 */
	public static final int MAX_BACKLOG = 100_000;

	/**
	 * How many of those that have failed are looked at.
	 */
	public static final int MAX_FAILED = 1000;

	/**
	 * Where counting dead letters ends.
	 */
	public static final int MAX_DEAD_LETTERS = 10_000;

	/**
	 * How many messages are looked at to find one that is due.
	 */
	public static final int MAX_EXAMINED = 10_000;

}
