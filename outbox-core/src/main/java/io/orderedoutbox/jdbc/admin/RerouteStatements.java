package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.jdbc.SqlFragments;
import org.jspecify.annotations.Nullable;

import static io.orderedoutbox.jdbc.SqlFragments.BY_ID;
import static io.orderedoutbox.jdbc.SqlFragments.IDS;

/**
 * The statements that give messages and dead letters another destination. Names of
 * exchanges travel in Base64, so that no character set of a session changes them.
 */
final class RerouteStatements {

	private static final String EXCHANGE = "exchange";

	private static final String ROUTING_KEY = "routing_key";

	private final MessageSelection selection;

	private final Reroute reroute;

	/** What becomes of messages. */
	final MessageChange messages;

	/** The next dead letters behind a position that were dead at a given time. */
	final String nextLetters;

	/** Which of the given dead letters are still to be rerouted. */
	final String verifyLetters;

	/** Reroutes dead letters. */
	final String rerouteLetters;

	RerouteStatements(String prefix, MessageSelection selection, Reroute reroute) {
		this.selection = selection;
		this.reroute = reroute;
		String deadLetter = prefix + "dead_letter";
		this.messages = new MessageChange(prefix, condition("m"), matching(),
				assignments("m") + ", m.attempts = 0, m.last_error = NULL, m.failed_at = NULL", target());
		String given = "%s STRAIGHT_JOIN %s d %s ON d.id = w.id".formatted(IDS, deadLetter, BY_ID);
		this.nextLetters = """
				SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes FROM %s d FORCE INDEX (%s)
				WHERE d.id > ? AND d.dead_at <= CAST(? AS DATETIME(6)) AND %s ORDER BY d.id LIMIT ?"""
			.formatted(deadLetter, SelectionFragments.index(deadLetter, selection), condition("d"));
		this.verifyLetters = "SELECT d.id FROM %s WHERE %s".formatted(given, condition("d"));
		this.rerouteLetters = "UPDATE %s SET %s".formatted(given, assignments("d"));
	}

	// What goes there already is not touched, so that a call can be repeated
	private String condition(String alias) {
		String origin = Stream
			.of(SelectionFragments.condition(alias, this.selection),
					compared(alias, EXCHANGE, "=", this.reroute.fromExchange()),
					compared(alias, ROUTING_KEY, "=", this.reroute.fromRoutingKey()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(" AND "));
		String changed = Stream
			.of(compared(alias, EXCHANGE, "<>", this.reroute.toExchange()),
					compared(alias, ROUTING_KEY, "<>", this.reroute.toRoutingKey()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(" OR "));
		return "%s AND (%s)".formatted(origin, changed);
	}

	private String assignments(String alias) {
		return Stream
			.of(compared(alias, EXCHANGE, "=", this.reroute.toExchange()),
					compared(alias, ROUTING_KEY, "=", this.reroute.toRoutingKey()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(", "));
	}

	private static @Nullable String compared(String alias, String column, String operator, @Nullable String value) {
		return (value != null) ? "%s.%s %s %s".formatted(alias, column, operator, SqlFragments.TEXT) : null;
	}

	/**
	 * What the statements bind that look for what is to be rerouted.
	 */
	List<Object> matching() {
		List<Object> values = new ArrayList<>(SelectionFragments.value(this.selection));
		values.addAll(encoded(this.reroute.fromExchange(), this.reroute.fromRoutingKey()));
		values.addAll(target());
		return values;
	}

	/**
	 * What the statements bind that reroute.
	 */
	List<String> target() {
		return encoded(this.reroute.toExchange(), this.reroute.toRoutingKey());
	}

	private static List<String> encoded(@Nullable String... values) {
		return Arrays.stream(values).filter(Objects::nonNull).map(SqlFragments::text).toList();
	}

}
