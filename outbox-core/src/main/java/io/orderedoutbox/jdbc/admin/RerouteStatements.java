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
 * The statements that give messages and dead letters another destination.
 * <p>
 * The outbox has no index by destination: its messages are looked through by position, a
 * range at a time, without locks. Names of exchanges travel in Base64, so that no
 * character set of a session changes them.
 */
final class RerouteStatements {

	private static final String EXCHANGE = "exchange";

	private static final String ROUTING_KEY = "routing_key";

	private final MessageSelection selection;

	private final Reroute reroute;

	/** The last position that is taken. */
	final String lastPosition;

	/**
	 * How many messages there are between two positions, up to a limit, and the last of
	 * these.
	 */
	final String range;

	/**
	 * The messages between two positions that are to be rerouted, up to a limit; what
	 * {@link #matching()} binds comes before the limit.
	 */
	final String nextMessages;

	/**
	 * Where those of the given messages are that are still to be rerouted, and which of
	 * them are the first in a lane of their key.
	 */
	final String places;

	/** Reroutes messages, as if they had never failed. */
	final String rerouteMessages;

	/** The next dead letters behind a position that were dead at a given time. */
	final String nextLetters;

	/** Which of the given dead letters are still to be rerouted. */
	final String verifyLetters;

	/** Reroutes dead letters. */
	final String rerouteLetters;

	RerouteStatements(String prefix, MessageSelection selection, Reroute reroute) {
		this.selection = selection;
		this.reroute = reroute;
		String message = prefix + "message";
		String deadLetter = prefix + "dead_letter";
		String byPosition = "FORCE INDEX (%s_id)".formatted(message);
		this.lastPosition = "SELECT m.id FROM %s m %s ORDER BY m.id DESC LIMIT 1".formatted(message, byPosition);
		this.range = """
				SELECT COUNT(*) AS looked, MAX(id) AS last FROM
				(SELECT m.id FROM %s m %s WHERE m.id > ? AND m.id <= ? ORDER BY m.id LIMIT ?) w""".formatted(message,
				byPosition);
		this.nextMessages = """
				SELECT m.id, COALESCE(k.partition_id, m.lane) AS partition_id, m.message_id, m.partition_key, m.payload_size AS bytes
				FROM %s m %s LEFT JOIN %sparked k %s ON k.lane = m.lane
				WHERE m.id > ? AND m.id <= ? AND (m.lane >= 0 OR k.lane IS NOT NULL) AND %s ORDER BY m.id LIMIT ?"""
			.formatted(message, byPosition, prefix, BY_ID, condition("m"));
		this.places = """
				SELECT m.lane, m.id, m.lane < 0 AND m.id = %s AS is_head FROM %s STRAIGHT_JOIN %s m %s ON m.id = w.id WHERE %s"""
			.formatted(ParkedKeyFragments.head(prefix, "m.lane"), IDS, message, byPosition, condition("m"));
		this.rerouteMessages = "UPDATE %s SET %s, m.attempts = 0, m.last_error = NULL, m.failed_at = NULL"
			.formatted(SqlFragments.messagesAtPlaces(message), assignments("m"));
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
