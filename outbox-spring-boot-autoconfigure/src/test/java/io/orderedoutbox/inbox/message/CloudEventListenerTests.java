/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.message;

import java.net.URI;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageBuilderSupport;
import org.springframework.amqp.rabbit.annotation.Exchange;
import org.springframework.amqp.rabbit.annotation.QueueBinding;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.amqp.support.converter.MessageConverter;
import org.springframework.amqp.support.converter.SimpleMessageConverter;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners that get CloudEvents, of the outbox and of others, on a real broker.
 */
@Tag("thorough")
class CloudEventListenerTests extends AbstractListenerTests {

	private static final String TYPES = "outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName();

	private static final String STRUCTURED = """
			{"specversion":"1.0","id":"1","source":"/erp","type":"order.placed","datacontenttype":"application/json",\
			"data":{"orderId":"a","version":2}}""";

	private void start(Class<?> listener, String... properties) {
		this.application = application(listener, properties).with("outbox.rabbit.format", "cloudevents")
			.with("outbox.rabbit.cloud-events.source", "/shop")
			.with("outbox.inbox.enabled", true)
			.with("outbox.inbox.initialize-schema", "always")
			.start();
	}

	private void deliver(MessageBuilderSupport<Message> message) {
		deliver(message.build());
	}

	private static MessageBuilderSupport<Message> foreign(String prefix, String source, String id) {
		return MessageBuilder.withBody(JSON.getBytes(UTF_8))
			.setContentType("application/json")
			.setHeader(prefix + "specversion", "1.0")
			.setHeader(prefix + "type", "order.placed")
			.setHeader(prefix + "source", source)
			.setHeader(prefix + "id", id);
	}

	private static MessageBuilderSupport<Message> structured(String contentType, String body) {
		return MessageBuilder.withBody(body.getBytes(UTF_8)).setContentType(contentType);
	}

	private List<String> identities() {
		return this.application.bean(JdbcClient.class)
			.sql("SELECT %s FROM inbox_message ORDER BY message_id"
				.formatted(Servers.database().choose("message_id", "encode(message_id, 'escape')")))
			.query(String.class)
			.list();
	}

	@Test
	void whatTheOutboxSendsIsTheSameEventForAListener() {
		start(Events.class);
		UUID id = this.application.publish((Object) new OrderPlaced("a", 1));
		Awaitility.await().untilAsserted(() -> assertThat(got()).hasSize(1));
		CloudEvent event = (CloudEvent) got().get(0);
		assertThat(event).isEqualTo(CloudEventBuilder.v1()
			.withId(id.toString())
			.withSource(URI.create("/shop"))
			.withType("order.placed")
			.withTime(event.getTime())
			.withData("application/json", JSON.getBytes(UTF_8))
			.build());
		assertThat(event.getTime()).isNotNull();
	}

	@Test
	void whatTheOutboxSendsIsGivenToListenersAsTheTypeOfItsNameAndProcessedByItsMessageId() {
		start(PlacedOnce.class, TYPES);
		UUID id = this.application.publish((Object) new OrderPlaced("a", 1));
		awaitPayloads(new OrderPlaced("a", 1));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly(id.toString()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "cloudEvents_", "cloudEvents:" })
	void anEventOfAnotherProducerIsTypedAndProcessedOncePerSource(String prefix) {
		start(PlacedOnce.class, TYPES);
		deliver(foreign(prefix, "/erp", "1"));
		deliver(foreign(prefix, "/erp", "1"));
		deliver(foreign(prefix, "/crm", "1"));
		deliver(foreign(prefix, "/erp", "2"));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly("/crm 1", "/erp 1", "/erp 2"));
		assertThat(got()).hasSize(3).containsOnly(new OrderPlaced("a", 1));
	}

	@Test
	void aMessageIdWinsOverWhatTheEventSays() {
		start(PlacedOnce.class, TYPES);
		deliver(foreign("cloudEvents_", "/erp", "1").setMessageId("m1"));
		deliver(foreign("cloudEvents_", "/erp", "1").setMessageId("m2"));
		deliver(structured("application/cloudevents+json", STRUCTURED).setMessageId("m3"));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly("m1", "m2", "m3"));
	}

	@Test
	void aTypeWinsOverWhatTheEventSays() {
		start(PlacedOnce.class, TYPES);
		deliver(foreign("cloudEvents_", "/erp", "1").setHeader("cloudEvents_type", "x").setType("order.placed"));
		deliver(structured("application/cloudevents+json",
				STRUCTURED.replace("order.placed", "x").replace("/erp", "/crm"))
			.setType("order.placed"));
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 2));
	}

	@Test
	void attributesWithAnotherPrefixThanThatOfTheVersionAreNone() {
		start(PlacedOnce.class, TYPES);
		deliver(foreign("cloudEvents:", "/erp", "1").setHeader("cloudEvents_id", "2"));
		deliver(foreign("cloudEvents_", "/erp", "3").setHeader("cloudEvents:id", "4"));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly("/erp 1", "/erp 3"));
	}

	@ParameterizedTest
	@CsvSource({ "cloudEvents_, cloudEvents:", "cloudEvents:, cloudEvents_" })
	void attributesWithAnotherPrefixAreNotInTheEvent(String prefix, String other) {
		start(Events.class);
		deliver(foreign(prefix, "/erp", "1").setHeader(other + "id", "2").setHeader(other + "tenant", "x"));
		awaitPayloads(CloudEventBuilder.v1()
			.withId("1")
			.withSource(URI.create("/erp"))
			.withType("order.placed")
			.withData("application/json", JSON.getBytes(UTF_8))
			.build());
	}

	@Test
	void anIdentityThatIsTooLongForTheInboxIsItsDigest() {
		start(PlacedOnce.class, TYPES);
		String source = "/" + "x".repeat(300);
		deliver(foreign("cloudEvents_", source, "1"));
		deliver(foreign("cloudEvents_", source, "1"));
		deliver(foreign("cloudEvents_", source, "2"));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).hasSize(2));
		assertThat(identities()).allMatch((id) -> id.matches("sha-256 [0-9a-f]{64}"));
		assertThat(got()).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "x, 234, /erp ", "x, 235, sha-256 ", "\u00fc, 117, /erp ", "\u00fc, 118, sha-256 " })
	void anIdentityMayHave240BytesNotCharacters(String character, int count, String beginning) {
		start(PlacedOnce.class, TYPES);
		deliver(foreign("cloudEvents_", "/erp", character.repeat(count) + "1"));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).hasSize(1));
		assertThat(identities().get(0)).startsWith(beginning);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aListenerMayTakeTheEventWithAndWithoutTypesByNames(boolean isTyped) {
		start(Events.class, isTyped ? new String[] { TYPES } : new String[0]);
		Date time = new Date(1_795_755_600_000L);
		deliver(foreign("cloudEvents:", "/erp", "1").setHeader("cloudEvents:time", time)
			.setHeader("cloudEvents:tenant", 17)
			.setHeader("cloudEvents:digest", new byte[] { -1, 0 })
			.setHeader("cloudEvents:urgent", true)
			.setHeader("other", "x"));
		assertThat(this.application.bean(RabbitTemplate.class).getMessageConverter())
			.isExactlyInstanceOf(SimpleMessageConverter.class);
		awaitPayloads(CloudEventBuilder.v1()
			.withId("1")
			.withSource(URI.create("/erp"))
			.withType("order.placed")
			.withTime(time.toInstant().atOffset(ZoneOffset.UTC))
			.withExtension("tenant", "17")
			.withExtension("digest", "/wA=")
			.withExtension("urgent", "true")
			.withData("application/json", JSON.getBytes(UTF_8))
			.build());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aConverterOfTheApplicationStaysUnlessAListenerAsksForEvents(boolean isTyped, CapturedOutput output) {
		String converter = isTyped ? "orderedInboxMessageConverter" : "orderedInboxCloudEventConverter";
		start(EventsBesideAConverter.class,
				isTyped ? new String[] { TYPES, "converter=" + converter } : new String[] { "converter=" + converter });
		this.application.bean(RabbitTemplate.class).send(this.queue, "x", foreign("cloudEvents_", "/erp", "1").build());
		Awaitility.await().untilAsserted(() -> assertThat(got()).hasSize(2));
		assertThat(got()).containsExactlyInAnyOrder("1", Map.of("orderId", "a", "version", 1));
		assertThat(output.getAll().contains("keep the message converter")).isEqualTo(isTyped);
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/cloudevents+json", "application/cloudevents+json; charset=utf-8",
			"Application/CloudEvents+JSON ;charset=utf-8" })
	void anEventInStructuredModeIsReadIfItsFormatIsThere(String contentType) {
		start(PlacedOnce.class, TYPES);
		deliver(structured(contentType, STRUCTURED));
		deliver(structured(contentType, STRUCTURED));
		deliver(foreign("cloudEvents_", "/erp", "1"));
		deliver(foreign("cloudEvents_", "/erp", "2"));
		awaitPayloads(new OrderPlaced("a", 2), new OrderPlaced("a", 1));
		assertThat(identities()).containsExactly("/erp 1", "/erp 2");
	}

	@Test
	void aListenerMayTakeAnEventInStructuredModeWhateverItsHeadersSay() {
		start(Events.class);
		deliver(structured("application/cloudevents+json", STRUCTURED).setHeader("cloudEvents_specversion", "1.0")
			.setHeader("cloudEvents_id", "2"));
		Awaitility.await().untilAsserted(() -> assertThat(got()).hasSize(1));
		CloudEvent event = (CloudEvent) got().get(0);
		assertThat(event.getId()).isEqualTo("1");
		assertThat(event.getType()).isEqualTo("order.placed");
		assertThat(event.getData()).isNotNull();
		assertThat(new String(event.getData().toBytes(), UTF_8)).isEqualTo("{\"orderId\":\"a\",\"version\":2}");
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource({ "avro, PlacedOnce", "avro, Events", "avro, AnythingOnce", "bogus, Events" })
	void anEventInAFormatThatIsNotThereIsRejected(String format, String listener, CapturedOutput output)
			throws Exception {
		start(Class.forName(CloudEventListenerTests.class.getName() + "$" + listener), TYPES);
		// With another exception Spring drops what was a dead letter before
		deliver(structured("application/cloudevents+" + format, "x").setHeader("x-death",
				List.of(Map.of("queue", this.queue, "reason", "rejected", "count", 1L))));
		awaitDeadLetter(output,
				"is a CloudEvent in structured mode ('application/cloudevents+%s'), for which there is no format on the class path: for JSON add io.cloudevents:cloudevents-json-jackson"
					.formatted(format));
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@ValueSource(classes = { PlacedOnce.class, Events.class })
	void aBatchOfEventsIsRejected(Class<?> listener, CapturedOutput output) {
		start(listener, TYPES);
		deliver(structured("application/cloudevents-batch+json", "[" + STRUCTURED + "]"));
		awaitDeadLetter(output,
				"is a batch of CloudEvents ('application/cloudevents-batch+json'): each must be a message of its own");
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@ValueSource(strings = { "null", "", "{", "[]", "1", "{}" })
	void whatIsNoEventInStructuredModeIsRejected(String body, CapturedOutput output) {
		start(Events.class);
		deliver(structured("application/cloudevents+json", body));
		awaitDeadLetter(output, "is no valid CloudEvent");
	}

	@Test
	@RequiresRabbitMq
	void ofABatchOnlyWhatIsNoEventIsRejected() {
		start(InBatches.class, "spring.rabbitmq.listener.simple.consumer-batch-enabled=true",
				"spring.rabbitmq.listener.simple.batch-size=3", "spring.rabbitmq.listener.simple.prefetch=3",
				"spring.rabbitmq.listener.simple.auto-startup=false");
		deliver(foreign("cloudEvents_", "/erp", "1"));
		deliver(foreign("cloudEvents_", "/erp", ""));
		deliver(foreign("cloudEvents_", "/erp", "3"));
		this.application.bean(RabbitListenerEndpointRegistry.class).start();
		awaitPayloads("1", "3");
		assertThat(this.application.bean(RabbitTemplate.class).receive(this.queue + ".dead-letters", 10_000))
			.isNotNull();
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource(quoteCharacter = '"',
			textBlock = """
					specversion, "", "has no AMQP property 'type', which would say what it is, and no header 'cloudEvents_specversion'"
					specversion, 2.0, "is a CloudEvent of version '2.0', but only 1.0 and 0.3 can be read"
					type, "", is a CloudEvent without a type
					type, empty, is a CloudEvent without a type
					type, order.unknown, "The message '1' with the type 'order.unknown' from the queue '%s' has a type that stands for no class"
					id, "", "has no message_id, and is no CloudEvent with source and id"
					id, empty, "has no message_id, and is no CloudEvent with source and id"
					source, empty, "has no message_id, and is no CloudEvent with source and id"
					source, "", "has no message_id, and is no CloudEvent with source and id"
					source, a b, "has no message_id, and is no CloudEvent with source and id"
					""")
	void whatIsMissingOrUnknownIsRejectedByATypedListener(String attribute, String value, String reason,
			CapturedOutput output) {
		start(PlacedOnce.class, TYPES);
		deliver(with(foreign("cloudEvents_", "/erp", "1"), attribute, value));
		awaitDeadLetter(output, reason.formatted(this.queue));
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource(quoteCharacter = '"', textBlock = """
			specversion, "", "is no CloudEvent: it has no header 'cloudEvents_specversion'"
			specversion, 2.0, is no valid CloudEvent (Invalid specversion: 2.0)
			type, "", "is no valid CloudEvent (Attribute 'type' cannot be null)"
			id, "", "is no valid CloudEvent (Attribute 'id' cannot be null)"
			source, "", "is no valid CloudEvent (Attribute 'source' cannot be null)"
			type, empty, "is a CloudEvent with an empty id, source or type"
			id, empty, "is a CloudEvent with an empty id, source or type"
			source, empty, "is a CloudEvent with an empty id, source or type"
			source, a b, is no valid CloudEvent (Invalid attribute/extension value for "source": a b)
			time, yesterday, is no valid CloudEvent (Invalid attribute/extension value for "time": yesterday)
			tenantId, x, is no valid CloudEvent (Invalid extensions name: tenantId)
			""")
	void whatIsNotValidIsRejectedByAListenerThatTakesEvents(String attribute, String value, String reason,
			CapturedOutput output) {
		start(Events.class);
		deliver(with(foreign("cloudEvents_", "/erp", "1"), attribute, value));
		awaitDeadLetter(output, reason);
		assertThat(output).contains("from the queue '" + this.queue + "' is ");
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@ValueSource(strings = { "", "2.0" })
	void withoutAKnownVersionSourceAndIdAreNoId(String version, CapturedOutput output) {
		start(PlacedOnce.class, TYPES);
		deliver(with(foreign("cloudEvents_", "/erp", "1").setType("order.placed"), "specversion", version));
		awaitDeadLetter(output, "has no message_id, and is no CloudEvent with source and id");
	}

	@Test
	void anEventOfTheOlderVersionIsReadToo() {
		start(PlacedOnce.class, TYPES);
		deliver(foreign("cloudEvents_", "/erp", "1").setHeader("cloudEvents_specversion", "0.3"));
		awaitPayloads(new OrderPlaced("a", 1));
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly("/erp 1"));
	}

	private static MessageBuilderSupport<Message> with(MessageBuilderSupport<Message> message, String attribute,
			String value) {
		String name = "cloudEvents_" + attribute;
		return value.isEmpty() ? message.removeHeader(name)
				: message.setHeader(name, value.equals("empty") ? "" : value);
	}

	@Test
	void aListenerThatTakesSomethingElseGetsItAsEver() {
		start(Bytes.class);
		deliver(foreign("cloudEvents_", "/erp", "1"));
		deliver(structured("application/cloudevents+json", STRUCTURED));
		awaitPayloads(JSON, STRUCTURED);
	}

	static class Events extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(CloudEvent event) {
			this.got.add(event);
		}

	}

	static class PlacedOnce extends Listener {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(OrderPlaced order) {
			this.got.add(order);
		}

	}

	static class AnythingOnce extends Listener {

		@ProcessOnce("billing")
		@RabbitListener(queues = "${queue}")
		void on(Message message) {
			this.got.add(message);
		}

	}

	static class InBatches extends Listener {

		@RabbitListener(queues = "${queue}", batch = "true")
		void on(List<CloudEvent> events) {
			events.forEach((event) -> this.got.add(event.getId()));
		}

	}

	static class EventsBesideAConverter extends Listener {

		@Bean
		static MessageConverter json() {
			return new JacksonJsonMessageConverter();
		}

		@RabbitListener(queues = "${queue}", messageConverter = "${converter}")
		void on(CloudEvent event) {
			this.got.add(event.getId());
		}

		@RabbitListener(bindings = @QueueBinding(value = @org.springframework.amqp.rabbit.annotation.Queue,
				exchange = @Exchange(name = "${queue}", type = "topic"), key = "#"))
		void on(Map<String, Object> order) {
			this.got.add(order);
		}

	}

	static class Bytes extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(byte[] body) {
			this.got.add(new String(body, UTF_8));
		}

	}

}
