/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.List;
import java.util.Map;

import io.orderedoutbox.autoconfigure.OutboxArchiveProperties;
import io.orderedoutbox.autoconfigure.OutboxCaptureProperties;
import io.orderedoutbox.autoconfigure.OutboxDeadLetterProperties;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.relay.OutboxKafkaProperties;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorProperties;
import io.orderedoutbox.autoconfigure.condition.OutboxNames;
import io.orderedoutbox.autoconfigure.OutboxPayloadProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Correlation;
import io.orderedoutbox.autoconfigure.OutboxProperties.Rabbit;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.autoconfigure.OutboxProperties.Retry;
import io.orderedoutbox.autoconfigure.OutboxSenderProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of further outboxes of an application.
 *
 * @param named Further outboxes by their names. Each has the properties of outbox.* for
 * itself, and inherits none.
 */
@ConfigurationProperties("outbox")
public record OutboxNamedProperties(@DefaultValue Map<String, Named> named) {

	/**
	 * Read the properties of an outbox, so that what is wrong with them is told by the
	 * names that the application has written.
	 */
	static Named of(Environment environment, String name) {
		return Binder.get(environment).bindOrCreate(OutboxNames.PREFIX + "." + name, Bindable.of(Named.class));
	}

	/**
	 * One outbox. What is not described here means what it means in outbox.*.
	 *
	 * @param enabled Whether to enable the outbox.
	 * @param ordered Whether messages with the same partition key reach the broker in the
	 * order in which their transactions committed.
	 * @param partitions Number of partitions of the outbox.
	 * @param maxPayloadSize Maximum size of a payload.
	 * @param relay Relay.
	 * @param retry Retry of messages that the broker does not take.
	 * @param rabbit RabbitMQ.
	 * @param correlation Correlation of messages.
	 * @param jdbc Tables.
	 * @param payload Payloads.
	 * @param sender Sender of the messages that have no other: rabbit, kafka, in-process,
	 * or the name of a MessageSender bean.
	 * @param senders Senders by message name.
	 * @param kafka Kafka.
	 * @param capture Messages that another program reads from the log of the database.
	 * @param archive Archive.
	 * @param deadLetters Dead letters.
	 * @param monitor What operators see.
	 * @param dataSource Name of the bean of the DataSource that holds the outbox. Without
	 * it that is the one that is qualified with the name of the outbox, or else that of
	 * the outbox without a name.
	 * @param relayDataSource Name of the bean of a DataSource of the relay's own, which
	 * leads to the same schema.
	 * @param routingDataSource Name of the bean of a DataSource that leads to several
	 * databases. The outbox then has those of its transactions that lead to its own
	 * database.
	 * @param connectionFactory Name of the bean of the RabbitMQ connection factory from
	 * which the relay derives its own.
	 * @param eventPackages Comma-separated list of packages. An event of a type in one of
	 * them, or below, goes to this outbox unless its annotation names another.
	 */
	public record Named(@DefaultValue("true") boolean enabled, @DefaultValue("false") boolean ordered,
			@DefaultValue("64") int partitions, @DefaultValue("8MB") DataSize maxPayloadSize, @DefaultValue Relay relay,
			@DefaultValue Retry retry, @DefaultValue Rabbit rabbit, @DefaultValue Correlation correlation,
			@Nullable OutboxJdbcProperties jdbc, @DefaultValue OutboxPayloadProperties payload, @Nullable String sender,
			@DefaultValue Map<String, String> senders, @DefaultValue OutboxKafkaProperties kafka,
			@DefaultValue OutboxCaptureProperties capture, @DefaultValue OutboxArchiveProperties archive,
			@DefaultValue OutboxDeadLetterProperties deadLetters, @DefaultValue OutboxMonitorProperties monitor,
			@Nullable String dataSource, @Nullable String relayDataSource, @Nullable String routingDataSource,
			@Nullable String connectionFactory, @DefaultValue List<String> eventPackages) {

		OutboxSenderProperties senderProperties() {
			return new OutboxSenderProperties((this.sender != null) ? this.sender : "rabbit", this.senders);
		}

	}

}
