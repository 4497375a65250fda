/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.Reroute;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.dialect.SqlFragments;
import org.jspecify.annotations.Nullable;

/**
 * The statements that give messages and dead letters another destination. Names of
 * exchanges travel encoded, so that no character set of a session changes them.
 */
final class RerouteStatements {

	private static final String EXCHANGE = "exchange";

	private static final String ROUTING_KEY = "routing_key";

	private final SqlFragments sql;

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

	RerouteStatements(OutboxDatabase database, MessageSelection selection, Reroute reroute) {
		this.sql = database.dialect().sql();
		this.selection = selection;
		this.reroute = reroute;
		String deadLetter = database.tablePrefix() + "dead_letter";
		this.messages = new MessageChange(database, condition("m"), matching(),
				Stream.concat(assignments(), Stream.of("attempts = 0", "last_error = NULL", "failed_at = NULL"))
					.toList(),
				target());
		String given = this.sql.rowsOfIds(deadLetter, "d");
		this.nextLetters = """
				SELECT d.id, d.message_id, d.partition_key, LENGTH(d.payload) AS bytes FROM %s d %s
				WHERE d.id > ? AND d.dead_at <= %s AND %s ORDER BY d.id LIMIT ?""".formatted(deadLetter,
				this.sql.by(SelectionFragments.index(deadLetter, selection)), this.sql.timeOfText(), condition("d"));
		this.verifyLetters = "SELECT d.id FROM %s WHERE %s".formatted(given, condition("d"));
		this.rerouteLetters = this.sql.update(this.sql.ids(), deadLetter, "d", this.sql.is("d.id", "w.id"),
				assignments().toArray(String[]::new));
	}

	// What goes there already is not touched, so that a call can be repeated
	private String condition(String alias) {
		String origin = Stream
			.of(SelectionFragments.condition(this.sql, alias, this.selection),
					compared(alias + "." + EXCHANGE, "=", this.reroute.fromExchange()),
					compared(alias + "." + ROUTING_KEY, "=", this.reroute.fromRoutingKey()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(" AND "));
		String changed = Stream
			.of(compared(alias + "." + EXCHANGE, "<>", this.reroute.toExchange()),
					compared(alias + "." + ROUTING_KEY, "<>", this.reroute.toRoutingKey()))
			.filter(Objects::nonNull)
			.collect(Collectors.joining(" OR "));
		return "%s AND (%s)".formatted(origin, changed);
	}

	private Stream<String> assignments() {
		return Stream
			.of(compared(EXCHANGE, "=", this.reroute.toExchange()),
					compared(ROUTING_KEY, "=", this.reroute.toRoutingKey()))
			.filter(Objects::nonNull);
	}

	private @Nullable String compared(String column, String operator, @Nullable String value) {
		return (value != null) ? "%s %s %s".formatted(column, operator, this.sql.text()) : null;
	}

	/**
	 * What the statements bind that look for what is to be rerouted.
	 */
	List<Object> matching() {
		List<Object> values = new ArrayList<>(SelectionFragments.value(this.sql, this.selection));
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

	private List<String> encoded(@Nullable String... values) {
		return Arrays.stream(values).filter(Objects::nonNull).map(this.sql::encoded).toList();
	}

}
