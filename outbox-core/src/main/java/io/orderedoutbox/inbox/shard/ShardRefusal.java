/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.shard;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;

/**
 * Why the broker has closed a channel.
 *
 * @param code its code, zero if it has not closed one
 * @param text what it says
 */
public record ShardRefusal(int code, String text) {

	private static final Pattern INEQUIVALENT = Pattern
		.compile("inequivalent arg '(?<arg>[^']*)' for (?<kind>\\w+) '(?<name>[^']*)' in vhost '[^']*':"
				+ " received (?<wanted>.*) but current is (?<current>.*)");

	/**
	 * Return why a call has failed.
	 * @param failure what the call has thrown
	 * @return the reason, with code zero if the broker has not closed a channel
	 */
	public static ShardRefusal of(Throwable failure) {
		@Nullable Throwable cause = failure;
		while (cause != null && !(cause instanceof ShutdownSignalException)) {
			cause = cause.getCause();
		}
		return (cause instanceof ShutdownSignalException signal
				&& signal.getReason() instanceof AMQP.Channel.Close close)
						? new ShardRefusal(close.getReplyCode(), close.getReplyText()) : new ShardRefusal(0, "");
	}

	/** Return what to tell when a queue or an exchange is not as it should be. */
	OutboxConfigurationException toException(Throwable cause) {
		Matcher matcher = INEQUIVALENT.matcher(this.text);
		String description = matcher.find()
				? "The %s '%s' is there already, with another '%s': it has %s, and shards need %s.".formatted(
						matcher.group("kind"), matcher.group("name"), matcher.group("arg"), value(matcher, "current"),
						value(matcher, "wanted"))
				: "The broker refuses the queues of the shards: %s.".formatted(this.text);
		return new OutboxConfigurationException(description,
				"Let its consumers empty it and delete it, choose another outbox.rabbit.shards.name or outbox.rabbit.shards.exchange, or set outbox.rabbit.shards.declare=false if it is right as it is.",
				cause);
	}

	// "the value 'quorum' of type 'longstr'", "'topic'" or "none"
	private static String value(Matcher matcher, String group) {
		return matcher.group(group).replaceFirst("^the value ('.*') of type '.*'$", "$1");
	}

}
