/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Binding.DestinationType;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Correlation} and {@link CorrelationAdvice}.
 */
class CorrelationTests {

	@Test
	void aChainOfMessagesIsCorrelated() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with(Chain.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			List<Arrival> chain = queue.await(3);
			String first = chain.get(0).messageId();
			assertThat(header(chain.get(0), "x-correlation-id")).isNull();
			assertThat(header(chain.get(0), "x-causation-id")).isNull();
			assertThat(header(chain.get(1), "x-correlation-id")).isEqualTo(first);
			assertThat(header(chain.get(1), "x-causation-id")).isEqualTo(first);
			assertThat(header(chain.get(2), "x-correlation-id")).isEqualTo(first);
			assertThat(header(chain.get(2), "x-causation-id")).isEqualTo(chain.get(1).messageId());
		}
	}

	@Test
	void aTransactionBeginsACorrelation() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.correlation.create", "true")
			.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			application.publish(new OrderPlaced("a", 2), new OrderPlaced("b", 2));
			List<String> headers = application.rows().stream().map(StoredRow::headers).toList();
			assertThat(headers).hasSize(4).allMatch((text) -> text.contains("x-correlation-id"));
			assertThat(headers.get(0)).isEqualTo(headers.get(1)).isNotEqualTo(headers.get(2));
			assertThat(headers.get(2)).isEqualTo(headers.get(3));
		}
	}

	@Test
	void theApplicationCanOpenOneAndStampsWin() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start()) {
			new Correlation("request-1", null).run(() -> {
				application.publish(new OrderPlaced("a", 1));
				application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 2),
						HeaderStamp.of(Correlation.CORRELATION_ID_HEADER, "mine")));
			});
			application.publish(new OrderPlaced("a", 3));
			assertThat(application.rows()).extracting(StoredRow::headers)
				.containsExactly("{\"x-correlation-id\":\"request-1\"}", "{\"x-correlation-id\":\"mine\"}", null);
			assertThat(Correlation.current()).isNull();
		}
	}

	// As convertAndSend sends it
	@Test
	void aMessageThatHasNoIdReachesItsListenerAndBeginsNoChain() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with(Chain.class)
					.start()) {
			application.bean(RabbitTemplate.class).convertAndSend(queue.exchange(), "order.placed", "2");
			List<Arrival> arrivals = queue.await(2);
			assertThat(arrivals.get(1).text()).contains("\"version\":3");
			assertThat(header(arrivals.get(1), "x-correlation-id")).isNull();
		}
	}

	@Test
	void scopesCanBeNested() {
		Correlation outer = new Correlation("outer", null);
		outer.run(() -> {
			Correlation inner = new Correlation("inner", "cause");
			inner.run(() -> assertThat(Correlation.current()).isEqualTo(inner));
			assertThat(Correlation.current()).isEqualTo(outer);
		});
		assertThat(Correlation.current()).isNull();
	}

	@Test
	void whereTheContextIsPropagatedAnAsynchronousMethodGoesOnWithTheCorrelation() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.task.execution.propagate-context", true)
			.with("spring.task.execution.pool.core-size", 1)
			.with(Asynchronous.class)
			.start()) {
			Publisher publisher = application.bean(Publisher.class);
			new Correlation("request-1", "cause").run(() -> publisher.publish("inside").join());
			publisher.publish("after").join();
			List<StoredRow> rows = application.rows();
			assertThat(rows.get(0).headers()).contains("\"x-correlation-id\":\"request-1\"",
					"\"x-causation-id\":\"cause\"");
			assertThat(rows.get(1).headers()).isNull();
		}
	}

	private static Object header(Arrival arrival, String name) {
		Object value = arrival.properties().getHeaders().get(name);
		return (value != null) ? value.toString() : null;
	}

	@EnableAsync(proxyTargetClass = true)
	@Configuration(proxyBeanMethods = false)
	static class Asynchronous {

		@Bean
		Publisher publisher(Outbox outbox) {
			return new Publisher(outbox);
		}

	}

	static class Publisher {

		private final Outbox outbox;

		Publisher(Outbox outbox) {
			this.outbox = outbox;
		}

		@Async
		@Transactional
		public CompletableFuture<Void> publish(String key) {
			this.outbox.publish(new OrderPlaced(key, 1));
			return CompletableFuture.completedFuture(null);
		}

	}

	/**
	 * Publishes the next version of an order when it receives one, up to the third.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Chain {

		private final TransactionTemplate transaction;

		private final Outbox outbox;

		Chain(TransactionTemplate transaction, Outbox outbox) {
			this.transaction = transaction;
			this.outbox = outbox;
		}

		@RabbitListener(queues = "#{queue.name}")
		void receive(Message message) {
			String body = new String(message.getBody(), java.nio.charset.StandardCharsets.UTF_8);
			int version = Integer.parseInt(body.replaceAll("\\D", ""));
			if (version < 3) {
				this.transaction
					.executeWithoutResult((status) -> this.outbox.publish(new OrderPlaced("a", version + 1)));
			}
		}

		@Bean
		static Queue queue() {
			return new Queue("outbox-correlation-" + UUID.randomUUID(), false, false, true);
		}

		@Bean
		static Binding binding(Queue queue, @Value("${outbox.rabbit.exchange}") String exchange) {
			return new Binding(queue.getName(), DestinationType.QUEUE, exchange, "#", Map.of());
		}

	}

}
