/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.util.Map;
import java.util.regex.Pattern;

import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.Assert;

/**
 * {@link RoutingStrategy} by convention: one topic for all messages. The topic of a
 * message is the exchange of its {@link io.orderedoutbox.Destination}, whose routing key
 * is empty: a record has its partition key instead.
 * <ol>
 * <li>A property names the topic for the name of the message.</li>
 * <li>Otherwise {@link KafkaDestination} names it for the type of the event.</li>
 * <li>Otherwise it is the topic for all messages.</li>
 * </ol>
 * {@value #NAME} in it stands for the name of the message, and {@value #PARTITION} for
 * the number of its partition in the outbox, which is none of Kafka's.
 * <p>
 * Not guaranteed: any order between messages of one key that go to different topics.
 */
public final class KafkaRoutingStrategy implements RoutingStrategy {

	/**
	 * Stands for the name of a message.
	 */
	public static final String NAME = "{name}";

	/**
	 * Stands for the number of its partition in the outbox.
	 */
	public static final String PARTITION = "{partition}";

	// What brokers allow
	private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

	private final String topic;

	private final Map<String, String> topics;

	/**
	 * Create a strategy.
	 * @param topic the topic for messages that have no other
	 * @param topics topics by the names of messages
	 */
	public KafkaRoutingStrategy(String topic, Map<String, String> topics) {
		this.topic = topic;
		this.topics = Map.copyOf(topics);
	}

	/**
	 * Return the route of a message.
	 * @throws IllegalArgumentException if Kafka allows no topic of that name
	 */
	@Override
	public Route route(Publication publication) {
		String topic = template(publication).replace(NAME, publication.name())
			.replace(PARTITION, String.valueOf(publication.partition()));
		Assert.isTrue(LEGAL.matcher(topic).matches() && !topic.equals(".") && !topic.equals(".."),
				() -> "The message '%s' would go to the topic '%s', and Kafka allows no such name: correct outbox.kafka.topic, outbox.kafka.topics or @KafkaDestination. A name has at most 249 letters, digits, dots, underscores and dashes"
					.formatted(publication.name(), topic));
		return Route.to(topic, "");
	}

	private String template(Publication publication) {
		String property = this.topics.get(publication.name());
		if (property != null) {
			return property;
		}
		KafkaDestination annotation = AnnotatedElementUtils.findMergedAnnotation(publication.eventType(),
				KafkaDestination.class);
		return (annotation != null) ? annotation.topic() : this.topic;
	}

}
