/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.annotation.RabbitHandler;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.boot.amqp.autoconfigure.SimpleRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Listeners that get payloads by the names of messages, on a real broker.
 */
class TypedListenerTests extends AbstractListenerTests {

	private static final String PLACED = "outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName();

	private static final String SCANNED = "outbox.inbox.type-packages=" + OrderPlaced.class.getPackageName();

	private void start(Class<?> listener, String... properties) {
		this.application = application(listener, properties).with("outbox.enabled", false).start();
	}

	private void startWithOutbox(Class<?> listener, String... properties) {
		this.application = application(listener, properties).start();
	}

	private void deliver(String type, String body) {
		deliver(MessageBuilder.withBody(body.getBytes(UTF_8))
			.setContentType("application/json")
			.setMessageId("m1")
			.setType(type)
			.build());
	}

	// A container could also have stopped
	private void awaitNext() {
		deliver("order.placed", JSON);
		Awaitility.await().untilAsserted(() -> assertThat(got()).contains(new OrderPlaced("a", 1)));
	}

	@Test
	void whatTheOutboxPublishesIsGivenToListenersAsTheTypeOfItsName() {
		startWithOutbox(Placed.class, SCANNED);
		this.application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
	}

	@Test
	void listenersThatProcessOnceGetTypesToo() {
		startWithOutbox(PlacedOnce.class, SCANNED, "outbox.inbox.enabled=true",
				"outbox.inbox.initialize-schema=always");
		this.application.publish(new OrderPlaced("a", 1));
		awaitPayloads(new OrderPlaced("a", 1));
		deliver("order.placed", "{\"orderId\":\"b\",\"version\":2}");
		deliver("order.placed", "{\"orderId\":\"b\",\"version\":2}");
		deliver(MessageBuilder.withBody(JSON.getBytes(UTF_8)).setMessageId("m2").setType("order.placed").build());
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("b", 2), new OrderPlaced("a", 1));
	}

	@Test
	void aClassWithSeveralMethodsGetsEachTypeInItsOwn() {
		startWithOutbox(Several.class, SCANNED);
		this.application.publish(new OrderLost("a", 1), new OrderPlaced("a", 2));
		awaitPayloads("lost", new OrderLost("a", 1), "placed", new OrderPlaced("a", 2));
		deliver(MessageBuilder.withBody("x".getBytes(UTF_8)).setContentType("text/plain").build());
		awaitPayloads("lost", new OrderLost("a", 1), "placed", new OrderPlaced("a", 2), "text", "x");
	}

	@Test
	void anotherAttemptInAClassWithSeveralMethodsGetsTheSameType() {
		start(FailsOnce.class, SCANNED, "spring.rabbitmq.listener.simple.retry.enabled=true",
				"spring.rabbitmq.listener.simple.retry.initial-interval=10ms");
		deliver("order.placed", JSON);
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1));
		deliver(MessageBuilder.withBody("x".getBytes(UTF_8)).setContentType("text/plain").build());
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1), "x", "x");
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource(quoteCharacter = '"', nullValues = "none",
			textBlock = """
					none, "{}", "has no AMQP property 'type'"
					"", "{}", "has no AMQP property 'type'"
					io.orderedoutbox.testing.OrderPlaced, "{}", has a type that stands for no class
					order.placed, "{", is no io.orderedoutbox.testing.OrderPlaced in JSON
					order.placed, "[]", is no io.orderedoutbox.testing.OrderPlaced in JSON
					order.placed, "{'orderId':'a'}", is no io.orderedoutbox.testing.OrderPlaced in JSON
					order.placed, "null", is null in JSON
					order.lost, "{}", "is of class io.orderedoutbox.testing.OrderLost, but the listener takes class io.orderedoutbox.testing.OrderPlaced"
					""")
	void whatCannotBeGivenToTheListenerGoesToTheDeadLettersAtOnce(String type, String body, String reason,
			CapturedOutput output) {
		start(Placed.class, SCANNED);
		deliver(type, body.replace('\'', '"'));
		awaitDeadLetter(output, reason);
		awaitNext();
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@ValueSource(classes = { OnShards.class, ByHand.class, Several.class })
	void soItDoesWithOtherListeners(Class<?> listener, CapturedOutput output) {
		start(listener, SCANNED);
		deliver("order\nforged", "{}");
		awaitDeadLetter(output,
				"The message 'm1' with the type 'order?forged' from the queue '%s' has a type that stands for no class"
					.formatted(this.queue));
		awaitNext();
	}

	@Test
	@RequiresRabbitMq
	void soItDoesWhateverErrorHandlerThereIs() {
		start(OwnErrorHandler.class, SCANNED);
		deliver("order.unknown", "{}");
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead-letters", 10_000))
			.isNotNull();
		awaitNext();
	}

	@Test
	@RequiresRabbitMq
	void soItDoesWhateverADeserializerThrows(CapturedOutput output) {
		start(AnyRecord.class, SCANNED, "outbox.inbox.types[order.moody]=" + Moody.class.getName());
		deliver("order.moody", "{}");
		awaitDeadLetter(output,
				"is no %s in JSON (java.lang.IllegalStateException: no)".formatted(Moody.class.getName()));
		awaitNext();
	}

	@Test
	@RequiresRabbitMq
	void ofABatchOnlyThatMessageGoesThere() {
		start(InBatches.class, SCANNED, "spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
				"spring.rabbitmq.listener.simple.batch-size=3", "spring.rabbitmq.listener.simple.prefetch=3",
				"spring.rabbitmq.listener.simple.auto-startup=false");
		deliver("order.unknown", JSON);
		deliver("order.placed", JSON);
		deliver("order.placed", JSON);
		this.application.bean(RabbitListenerEndpointRegistry.class).start();
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1));
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead-letters", 10_000))
			.isNotNull();
	}

	@Test
	@RequiresRabbitMq
	void aMessageThatHasBeenADeadLetterBeforeGoesThereAgain(CapturedOutput output) {
		start(Placed.class, SCANNED);
		deliver(MessageBuilder.withBody("{}".getBytes(UTF_8))
			.setType("order.unknown")
			.setHeader("x-death", List.of(Map.of("queue", this.queue, "reason", "rejected", "count", 1L)))
			.build());
		awaitDeadLetter(output, "has a type that stands for no class");
	}

	@Test
	void noClassIsLookedForByANameInAHeader() {
		start(Placed.class, SCANNED);
		deliver(MessageBuilder.withBody(JSON.getBytes(UTF_8))
			.setContentType("application/json")
			.setType("order.placed")
			.setHeader("__TypeId__", OrderLost.class.getName())
			.build());
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@ParameterizedTest
	@ValueSource(classes = { Text.class, Bytes.class, Raw.class, RawOfSpring.class, Anything.class })
	void aListenerThatTakesTheBodyGetsItAsItIs(Class<?> listener) {
		start(listener, SCANNED);
		deliver(null, "{");
		deliver("order.unknown", "[");
		deliver(MessageBuilder.withBody("x".getBytes(UTF_8)).setContentType("text/plain").build());
		awaitPayloads("{", "[", "x");
	}

	@Test
	void fieldsThatTheClassDoesNotHaveAreIgnoredWhateverTheApplicationDoesElsewhere() {
		start(Placed.class, PLACED, "spring.jackson.deserialization.fail-on-unknown-properties=true");
		deliver("order.placed", "{\"orderId\":\"a\",\"version\":1,\"since\":{\"release\":7}}");
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@Test
	void payloadsAreReadWithTheMapperOfTheApplication() {
		start(Placed.class, PLACED, "spring.jackson.property-naming-strategy=SNAKE_CASE");
		deliver("order.placed", "{\"order_id\":\"a\",\"version\":1}");
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@Test
	void aMessageThatWasRenamedIsTheSameUnderBothNames() {
		start(Placed.class, PLACED, "outbox.inbox.types[OrderPlaced_v1]=" + OrderPlaced.class.getName());
		deliver("OrderPlaced_v1", JSON);
		deliver("order.placed", JSON);
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1));
	}

	@Test
	void aNameFromAPropertyIsAnAliasOfWhatIsFoundInAPackage() {
		start(Placed.class, SCANNED, "outbox.inbox.types[order.created]=" + OrderPlaced.class.getName());
		deliver("order.created", JSON);
		deliver("order.placed", JSON);
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			types.yaml, "outbox.inbox.types: {'[order.placed]': %s}"
			types.yaml, "outbox.inbox: {types: {order.placed: %s}}"
			types.properties, "outbox.inbox.types[order.placed]=%s"
			types.properties, "outbox.inbox.types.order.placed=%s"
			""")
	void filesOfPropertiesNameThem(String file, String line, @TempDir Path directory) throws Exception {
		Path written = Files.writeString(directory.resolve(file), line.formatted(OrderPlaced.class.getName()));
		start(Placed.class, "spring.config.additional-location=file:" + written);
		deliver("order.placed", JSON);
		awaitPayloads(new OrderPlaced("a", 1));
	}

	@Test
	void aListenerMayTakeWhatSeveralTypesHaveInCommon() {
		start(AnyPayment.class, "outbox.inbox.types[order.paid]=" + Paid.class.getName(),
				"outbox.inbox.types[order.refunded]=" + Refunded.class.getName());
		deliver("order.refunded", "{\"amount\":2}");
		deliver("order.paid", "{\"amount\":1}");
		awaitPayloads(new Refunded(2), new Paid(1));
	}

	@Test
	void aListenerSaysWhatAGenericTypeIsMadeOf() {
		start(ChangedOrder.class, "outbox.inbox.types[order.changed]=" + Changed.class.getName());
		deliver("order.changed", "{\"before\":%s,\"after\":%s}".formatted(JSON, JSON));
		awaitPayloads(new Changed<>(new OrderPlaced("a", 1), new OrderPlaced("a", 1)));
	}

	@Test
	void whatTheApplicationSendsAndAnswersStaysAsItWas() {
		start(Answering.class, PLACED);
		RabbitTemplate template = this.application.bean(RabbitTemplate.class);
		assertThat(template.getMessageConverter()).isExactlyInstanceOf(SimpleMessageConverter.class);
		Message answer = template.sendAndReceive("", this.queue,
				MessageBuilder.withBody(JSON.getBytes(UTF_8)).setType("order.placed").build());
		assertThat(answer).isNotNull();
		assertThat(answer.getMessageProperties().getContentType()).isEqualTo("text/plain");
		assertThat(new String(answer.getBody(), UTF_8)).isEqualTo("order a");
	}

	@Test
	void aConverterOfTheApplicationStaysAndTheLogSaysSo(CapturedOutput output) {
		start(OwnConverter.class, PLACED);
		deliver("order.unknown", JSON);
		awaitPayloads(new OrderPlaced("a", 1));
		assertThat(output).contains("The listeners of 'rabbitListenerContainerFactory' keep the message converter")
			.contains(JacksonJsonMessageConverter.class.getName());
	}

	@Test
	@RequiresRabbitMq
	void aListenerMayAskForNamesBesideAConverterOfTheApplication(CapturedOutput output) {
		start(OwnConverterExceptHere.class, PLACED);
		deliver("order.unknown", JSON);
		awaitDeadLetter(output, "has a type that stands for no class");
	}

	@Test
	void withoutTheirPropertiesListenersAreAsTheyWere() {
		start(Bytes.class, "outbox.inbox.types=", "outbox.inbox.type-packages=");
		assertThat(this.application.context().containsBean("orderedInboxMessageConverter")).isFalse();
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@ValueSource(classes = { Placed.class, Several.class })
	void aListenerThatWouldHaveNeededThemIsToldTheirNames(Class<?> listener, CapturedOutput output) {
		start(listener);
		RabbitTemplate template = this.application.bean(RabbitTemplate.class);
		for (int message = 0; message < 2; message++) {
			deliver("order.placed", JSON);
			assertThat(template.receive(this.queue + ".dead-letters", 10_000)).isNotNull();
		}
		assertThat(output).containsOnlyOnce("The listener of the queue '%s' takes ".formatted(this.queue))
			.containsOnlyOnce("set outbox.inbox.type-packages to the package")
			.contains("outbox.inbox.types");
		assertThat(got()).isEmpty();
	}

	@Test
	@RequiresRabbitMq
	void aListenerWithAConverterOfTheApplicationIsNotToldThem(CapturedOutput output) {
		start(OwnConverter.class);
		deliver("order.placed", "{");
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead-letters", 10_000))
			.isNotNull();
		assertThat(output).doesNotContain("outbox.inbox.type-packages");
	}

	@Test
	void aClassThatIsNotThereEndsTheStart(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> start(Placed.class, "outbox.inbox.types[order.placed]=com.example.Nowhere"))
			.havingRootCause()
			.withMessageContaining("com.example.Nowhere");
		assertThat(output).contains("outbox.inbox.types[order.placed]").contains("com.example.Nowhere");
	}

	@Test
	void aNameOfTwoClassesEndsTheStart() {
		assertThatException()
			.isThrownBy(() -> start(Placed.class, SCANNED, "outbox.inbox.types[order.placed]=" + Paid.class.getName()))
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("The name 'order.placed' stands for two classes, ")
			.withMessageContaining(Paid.class.getName())
			.withMessageContaining(OrderPlaced.class.getName());
	}

	@Test
	void aPackageWithoutTypesEndsTheStart() {
		assertThatException()
			.isThrownBy(() -> start(Placed.class, "outbox.inbox.type-packages=io.orderedoutbox.servers"))
			.havingRootCause()
			.isInstanceOf(OutboxConfigurationException.class)
			.withMessageContaining("io.orderedoutbox.servers");
	}

	@Test
	void onlyConcreteTypesAreFoundAlsoBelowAnAnnotatedInterface() {
		start(AnyPayment.class, "outbox.inbox.type-packages=" + TypedListenerTests.class.getPackageName());
		deliver("refunded", "{\"amount\":2}");
		deliver("order.paid", "{\"amount\":1}");
		awaitPayloads(new Refunded(2), new Paid(1));
	}

	@OutboxMessage
	interface Payment {

	}

	@OutboxMessage("order.paid")
	record Paid(int amount) implements Payment {

	}

	record Refunded(int amount) implements Payment {

	}

	@JsonDeserialize(using = MoodyDeserializer.class)
	record Moody() {

	}

	static class MoodyDeserializer extends ValueDeserializer<Moody> {

		@Override
		public Moody deserialize(JsonParser parser, DeserializationContext context) {
			throw new IllegalStateException("no");
		}

	}

	record Changed<T>(T before, T after) {

	}

	static class Placed extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced order, @Header(name = "nothing", required = false) String header, MessageProperties all) {
			this.got.add(order);
		}

	}

	static class PlacedOnce extends Listener {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced order) {
			this.got.add(order);
		}

	}

	@RabbitListener(queues = "${queue}")
	static class Several extends Listener {

		@RabbitHandler
		void on(OrderPlaced order) {
			this.got.addAll(List.of("placed", order));
		}

		@RabbitHandler
		void on(OrderLost order) {
			this.got.addAll(List.of("lost", order));
		}

		@RabbitHandler
		void on(String text) {
			this.got.addAll(List.of("text", text));
		}

	}

	@RabbitListener(queues = "${queue}")
	static class FailsOnce extends Listener {

		@RabbitHandler
		void on(OrderPlaced order) {
			take(order);
		}

		@RabbitHandler
		void on(String text) {
			take(text);
		}

		private void take(Object payload) {
			this.got.add(payload);
			if ((this.got.size() & 1) == 1) {
				throw new IllegalStateException("no");
			}
		}

	}

	static class OnShards extends Listener {

		@RabbitListener(queues = "${queue}", containerFactory = "shardListenerContainerFactory")
		void on(OrderPlaced order) {
			this.got.add(order);
		}

	}

	static class InBatches extends Listener {

		@RabbitListener(queues = "${queue}", batch = "true")
		void on(List<OrderPlaced> orders) {
			this.got.addAll(orders);
		}

	}

	static class ByHand extends Listener {

		@RabbitListener(queues = "${queue}", ackMode = "MANUAL")
		void on(OrderPlaced order, Channel channel, @Header(AmqpHeaders.DELIVERY_TAG) long tag) throws IOException {
			channel.basicAck(tag, false);
			this.got.add(order);
		}

	}

	static class Text extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(String text, @Header(name = "nothing", required = false) String header) {
			this.got.add(text);
		}

	}

	static class Bytes extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(byte[] body) {
			this.got.add(new String(body, UTF_8));
		}

	}

	static class Raw extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Message message, Channel channel, @Header(name = "nothing", required = false) String header) {
			this.got.add(new String(message.getBody(), UTF_8));
		}

	}

	static class RawOfSpring extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(org.springframework.messaging.Message<?> message) {
			this.got
				.add((message.getPayload() instanceof byte[] body) ? new String(body, UTF_8) : message.getPayload());
		}

	}

	static class AnyPayment extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Payment payment) {
			this.got.add(payment);
		}

	}

	static class Anything extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Object message) {
			this.got.add(new String(((Message) message).getBody(), UTF_8));
		}

	}

	static class AnyRecord extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Record payload) {
			this.got.add(payload);
		}

	}

	static class ChangedOrder extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(Changed<OrderPlaced> change) {
			this.got.add(change);
		}

	}

	static class Answering {

		@RabbitListener(queues = "${queue}")
		String on(OrderPlaced order) {
			return "order " + order.orderId();
		}

	}

	static class OwnErrorHandler extends Placed {

		@Bean
		static SimpleRabbitListenerContainerFactory rabbitListenerContainerFactory(
				SimpleRabbitListenerContainerFactoryConfigurer configurer, ConnectionFactory connections) {
			SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
			configurer.configure(factory, connections);
			factory.setErrorHandler((failure) -> {
			});
			return factory;
		}

	}

	static class OwnConverter extends Placed {

		@Bean
		static MessageConverter json() {
			return new JacksonJsonMessageConverter();
		}

	}

	static class OwnConverterExceptHere extends Listener {

		@Bean
		static MessageConverter json() {
			return new JacksonJsonMessageConverter();
		}

		@RabbitListener(queues = "${queue}", messageConverter = "orderedInboxMessageConverter")
		void on(OrderPlaced order) {
			this.got.add(order);
		}

	}

}
