/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.Binding.DestinationType;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Traces go on through the table and the broker, with OpenTelemetry behind Micrometer.
 */
class TracingTests {

	@Test
	void theConsumersSpanContinuesTheTraceOfTheProducer() throws InterruptedException {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.with("outbox.rabbit.exchange", Consumer.NAME)
			.with("spring.rabbitmq.listener.simple.observation-enabled", "true")
			.with(TracingConfiguration.class, Consumer.class)
			.start()) {
			InMemorySpanExporter spans = application.bean(InMemorySpanExporter.class);
			Observation.createNotStarted("request", application.bean(ObservationRegistry.class))
				.observe(() -> application.publish(new OrderPlaced("a", 1)));
			TraceContext consumer = application.bean(Consumer.class).seen.poll(30, TimeUnit.SECONDS);
			SpanData request = span(spans, "request");
			SpanData publish = span(spans, "order.placed publish");
			SpanData relay = span(spans, "order.placed relay");
			assertThat(publish.getParentSpanId()).isEqualTo(request.getSpanId());
			assertThat(publish.getKind()).isEqualTo(SpanKind.PRODUCER);
			assertThat(relay.getParentSpanId()).isEqualTo(publish.getSpanId());
			assertThat(relay.getKind()).isEqualTo(SpanKind.CLIENT);
			assertThat(relay.getTraceId()).isEqualTo(request.getTraceId());
			assertThat(attribute(relay, "outcome")).isEqualTo("published");
			assertThat(attribute(relay, "outbox.message.name")).isEqualTo("order.placed");
			assertThat(attribute(relay, "messaging.destination.name")).isEqualTo(Consumer.NAME);
			assertThat(attribute(relay, "messaging.rabbitmq.destination.routing_key")).isEqualTo("order.placed");
			assertThat(attribute(relay, "messaging.message.id")).isEqualTo(attribute(publish, "messaging.message.id"))
				.isNotNull();
			assertThat(consumer).isNotNull();
			assertThat(consumer.traceId()).isEqualTo(request.getTraceId());
			assertThat(consumer.parentId()).isEqualTo(publish.getSpanId());
		}
	}

	@Test
	void aMessageThatFailsHasASpanWithTheError() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.retry.initial-interval", "1m")
					.with(TracingConfiguration.class)
					.start()) {
			application.publish(new OrderLost("a", 1));
			SpanData relay = span(application.bean(InMemorySpanExporter.class), "order.lost relay");
			assertThat(attribute(relay, "outcome")).isEqualTo("failed");
			assertThat(relay.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
			assertThat(application.bean(MeterRegistry.class)
				.get("outbox.message.relay")
				.tag("outcome", "failed")
				.tag("outbox.message.name", "order.lost")
				.timer()
				.count()).isOne();
		}
	}

	@Test
	void aTraceThatTheApplicationStampsItselfStays() {
		String own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(TracingConfiguration.class)
			.start()) {
			application
				.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), HeaderStamp.of("traceparent", own)));
			assertThat(application.rows().get(0).headers()).contains(own);
		}
	}

	@Test
	void withoutATracerNothingIsStored() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.rows().get(0).headers()).isNull();
			assertThat(application.bean(MeterRegistry.class).get("outbox.message.publish").timer().count()).isOne();
		}
	}

	@Test
	void observationsCanBeSwitchedOff() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("management.observations.enable.outbox", "false")
					.with(TracingConfiguration.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(queue.await(1).get(0).properties().getHeaders()).containsOnlyKeys("x-message-id");
			application.awaitEmpty();
			assertThat(application.bean(InMemorySpanExporter.class).getFinishedSpanItems()).isEmpty();
		}
	}

	@Test
	void namesCanBeReplaced() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with(TracingConfiguration.class, OwnNames.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			InMemorySpanExporter spans = application.bean(InMemorySpanExporter.class);
			assertThat(span(spans, "send order.placed").getAttributes()).isNotNull();
		}
	}

	@Test
	void namesAndKeysAreDocumented() throws IOException {
		String document = Files.readString(Path.of("../docs/tracing.md"));
		assertThat(document).contains("`" + new DefaultPublishObservationConvention().getName() + "`",
				"`" + new DefaultRelayObservationConvention().getName() + "`");
		for (OutboxObservation observation : OutboxObservation.values()) {
			assertThat(KeyName.merge(observation.getLowCardinalityKeyNames(), observation.getHighCardinalityKeyNames()))
				.isNotEmpty()
				.allSatisfy((key) -> assertThat(document).contains("| `" + key.asString() + "` |"));
		}
	}

	private static SpanData span(InMemorySpanExporter exporter, String name) {
		return Awaitility.await()
			.until(() -> exporter.getFinishedSpanItems()
				.stream()
				.filter((span) -> span.getName().equals(name))
				.findFirst()
				.orElse(null), (span) -> span != null);
	}

	private static String attribute(SpanData span, String key) {
		return span.getAttributes().get(AttributeKey.stringKey(key));
	}

	@Configuration(proxyBeanMethods = false)
	static class Consumer {

		static final String NAME = "outbox-tracing-" + UUID.randomUUID();

		final BlockingQueue<TraceContext> seen = new LinkedBlockingQueue<>();

		private final Tracer tracer;

		Consumer(Tracer tracer) {
			this.tracer = tracer;
		}

		@RabbitListener(queues = "#{queue.name}")
		void receive(byte[] body) {
			this.seen.add(this.tracer.currentSpan().context());
		}

		@Bean
		static TopicExchange exchange() {
			return new TopicExchange(NAME, false, true);
		}

		@Bean
		static Queue queue() {
			return new Queue(NAME, false, false, true);
		}

		@Bean
		static Binding binding() {
			return new Binding(NAME, DestinationType.QUEUE, NAME, "#", Map.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnNames {

		@Bean
		RelayObservationConvention names() {
			return new DefaultRelayObservationConvention() {

				@Override
				public String getContextualName(RelayObservationContext context) {
					return "send " + context.getMessage().message().name();
				}

			};
		}

	}

}
