package io.orderedoutbox.sample.timeline;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The exchange to which the outbox publishes, the queue of the timeline, and how it is
 * read.
 */
@Configuration(proxyBeanMethods = false)
class TimelineTopology {

	@Bean
	Declarables orderTopology(@Value("${outbox.rabbit.exchange}") String exchangeName,
			@Value("${sample.queue}") String queueName) {
		TopicExchange exchange = new TopicExchange(exchangeName);
		// A second instance of the sample takes over when the first one stops, not before
		Queue queue = QueueBuilder.durable(queueName).singleActiveConsumer().build();
		Binding binding = BindingBuilder.bind(queue).to(exchange).with("order.#");
		return new Declarables(exchange, queue, binding);
	}

	// How long a batch that is not full waits for one more message: it adds to every
	// delay on the page
	@Bean
	ContainerCustomizer<SimpleMessageListenerContainer> smallBatchesAtOnce() {
		return (container) -> container.setReceiveTimeout(5);
	}

}
