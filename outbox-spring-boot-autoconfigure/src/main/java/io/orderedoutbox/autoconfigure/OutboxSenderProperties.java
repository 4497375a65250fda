/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.autoconfigure.condition.SenderName;
import io.orderedoutbox.routing.MessageNamePatterns;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties that say what sends the messages.
 *
 * @param sender Sender of the messages that have no other: rabbit, kafka, in-process, or
 * the name of a MessageSender bean.
 * @param senders Senders by message name, in which * stands for any text. For example
 * outbox.senders[audit.*].
 */
@ConfigurationProperties("outbox")
public record OutboxSenderProperties(@DefaultValue("rabbit") String sender, @DefaultValue Map<String, String> senders) {

	/**
	 * Create properties.
	 */
	public OutboxSenderProperties {
		senders = Map.copyOf(senders);
	}

	/**
	 * Return the senders that are beans of the application.
	 * @return the names of the beans
	 */
	public Set<String> ofApplication() {
		return Stream.concat(Stream.of(this.sender), this.senders.values().stream())
			.filter(SenderName::isOfApplication)
			.map(SenderName::beanOf)
			.collect(Collectors.toSet());
	}

	/**
	 * The names of the beans that send, by the names of messages.
	 */
	MessageNamePatterns<String> beans() {
		Map<String, String> beans = new HashMap<>();
		this.senders.forEach((pattern, written) -> beans.put(pattern, SenderName.beanOf(written)));
		return new MessageNamePatterns<>(beans, SenderName.beanOf(this.sender));
	}

}
