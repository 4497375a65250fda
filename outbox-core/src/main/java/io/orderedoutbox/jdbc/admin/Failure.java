/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.admin;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.orderedoutbox.admin.MessageSummary;
import io.orderedoutbox.store.FailedMessage;
import org.jspecify.annotations.Nullable;

/**
 * For which destination and cause a message has failed. Messages that failed in the same
 * way are equal in this, although their errors quote other ids and numbers.
 * <p>
 * The Java code finds the cause, not a statement: MySQL and MariaDB do not mean the same
 * by a regular expression.
 *
 * @param exchange the exchange
 * @param destination the exchange or, behind the default exchange, the queue, in words
 * @param cause the error without what differs from one message to the other
 */
record Failure(String exchange, String destination, String cause) {

	/** Of what is not asked how it has failed. */
	static final Failure UNKNOWN = new Failure("", "", "");

	private static final int MAX_CAUSE = 200;

	// A word with a digit in it, unless the word is a reply code of AMQP before its name.
	// The possessive quantifiers keep the time that a long error takes proportional to
	// its length
	private static final Pattern DIFFERS = Pattern.compile(
			"""
					[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\
					|(?<=@)[0-9a-f]{5,16}\\b\
					|(?<![\\p{L}\\p{N}_])(?!(?:3[12]\\d|40[2-6]|50[1-6]|530|54[01]) [A-Z]{2,}_)[\\p{L}_]*+\\p{N}[\\p{L}\\p{N}_]*+""");

	// Stands for the name of the destination, whose digits are no numbers: no error has a
	// control character
	private static final String KEPT = "'\0'";

	// What is left of addresses, times and decimals
	private static final Pattern PARTS = Pattern.compile("#(?:[.:,/+_-]#)+");

	static Failure of(MessageSummary message) {
		return of(message.messageId(), message.partitionKey(), message.exchange(), message.routingKey(),
				message.lastError());
	}

	static Failure of(ResultSet rs) throws SQLException {
		return of(rs.getString("message_id"), rs.getString("partition_key"), rs.getString("exchange"),
				rs.getString("routing_key"), rs.getString("last_error"));
	}

	static Failure of(String messageId, String partitionKey, String exchange, String routingKey,
			@Nullable String error) {
		String name = exchange.isEmpty() ? routingKey : exchange;
		Stream<String> own = Stream.of(messageId, partitionKey, routingKey).filter((value) -> !value.equals(name));
		return new Failure(exchange, "%s '%s'".formatted(exchange.isEmpty() ? "queue" : "exchange", name),
				cause(error, name, own));
	}

	// A message of a destination that is paused has failed for the reason of the pause
	private static String cause(@Nullable String error, String destination, Stream<String> own) {
		String text = (error != null) ? error.replace(FailedMessage.PAUSED_AFTER, "") : "";
		for (String value : own.filter((value) -> !value.isEmpty()).toList()) {
			text = text.replace("'" + value + "'", "'#'").replace('"' + value + '"', "\"#\"");
		}
		text = text.replace("'" + destination + "'", KEPT);
		text = PARTS.matcher(DIFFERS.matcher(text).replaceAll("#")).replaceAll("#").replaceAll("\\s+", " ").strip();
		text = text.replace(KEPT, "'" + destination + "'");
		if (text.isEmpty()) {
			return "no reason was given";
		}
		boolean isLong = text.codePointCount(0, text.length()) > MAX_CAUSE;
		return isLong ? text.substring(0, text.offsetByCodePoints(0, MAX_CAUSE)) : text;
	}

	/**
	 * The name of the group of all that has failed in this way.
	 */
	String group() {
		return this.destination + ": " + this.cause;
	}

}
