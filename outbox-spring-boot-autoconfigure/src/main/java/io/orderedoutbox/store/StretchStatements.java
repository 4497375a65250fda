package io.orderedoutbox.store;

/**
 * Statements that take rows without a gap between them: from one position to another, and
 * how many at most. That is half the work of a list, for which the database makes a
 * temporary table and finds each row by itself.
 * <p>
 * They are for dialects that {@link Dialect#hasExactRanges read nothing else} then. Where
 * all rows are there, due and free, nothing behind the last one is locked, because it is
 * said how many there are; otherwise a SELECT may lock the next row for a moment, and
 * lets go of it at once.
 */
final class StretchStatements {

	/** Locks those that are due and that nobody else holds. */
	final String lock;

	/** The same, and reads the whole of what it locks. */
	final String lockAndLoad;

	/** Whole rows. */
	final String load;

	/**
	 * Deletes them, in one pass: a join collects the rows first and then finds each of
	 * them again.
	 */
	final String delete;

	StretchStatements(String message) {
		String range = " FROM %s m %s WHERE m.id BETWEEN ? AND ? ".formatted(message, OutboxStatements.BY_ID);
		String locking = range + "AND m.available_at <= %s ORDER BY m.id LIMIT ? FOR UPDATE SKIP LOCKED"
			.formatted(OutboxStatements.NOW);
		this.lock = "SELECT m.id" + locking;
		this.lockAndLoad = "SELECT " + OutboxStatements.WHOLE_ROW + locking;
		this.load = "SELECT " + OutboxStatements.WHOLE_ROW + range + "ORDER BY m.id LIMIT ?";
		this.delete = "DELETE FROM %s WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?".formatted(message);
	}

}
