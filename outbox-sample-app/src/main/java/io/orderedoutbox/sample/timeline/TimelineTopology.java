/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The exchange to which the outbox publishes, the queue of the timeline, and how it is
 * read. The routing key of a message is the number of its partition, so that other
 * consumers can share the partitions among several queues. The timeline has one queue for
 * all of them.
 */
@Configuration(proxyBeanMethods = false)
class TimelineTopology {

	@Bean
	Declarables orderTopology(@Value("${outbox.rabbit.exchange}") String exchangeName,
			@Value("${outbox.partitions}") int partitions, @Value("${sample.queue}") String queueName) {
		DirectExchange exchange = new DirectExchange(exchangeName);
		// A second instance of the sample takes over when the first one stops, not before
		Queue queue = QueueBuilder.durable(queueName).singleActiveConsumer().build();
		Stream<Declarable> bindings = IntStream.range(0, partitions)
			.mapToObj((partition) -> BindingBuilder.bind(queue).to(exchange).with(String.valueOf(partition)));
		Collection<Declarable> all = Stream.concat(Stream.of(exchange, queue), bindings).toList();
		return new Declarables(all);
	}

	// How long a batch that is not full waits for one more message: it adds to every
	// delay on the page
	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> smallBatchesAtOnce() {
		return (container) -> container.setReceiveTimeout(5);
	}

}
