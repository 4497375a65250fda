package io.orderedoutbox.store;

import java.util.List;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How far is looked: so that nothing reads a table from one end to the other, however few
 * of its rows are wanted.
 *
 * @param last the position of the last row that is looked at
 * @param isTheLast whether there is nothing behind it
 */
record Span(long last, boolean isTheLast) {

	/**
	 * Find the end of a span.
	 * @param statement counts rows, up to a limit that is its last argument, and returns
	 * the position of the last of them
	 */
	static Span find(JdbcTemplate jdbc, String statement, int most, List<?> arguments) {
		Object[] all = new Object[arguments.size() + 1];
		arguments.toArray(all);
		all[arguments.size()] = most;
		List<Span> span = jdbc.query(statement, (rs, index) -> new Span(rs.getLong("last"), rs.getInt("looked") < most),
				all);
		return span.get(0);
	}

}
