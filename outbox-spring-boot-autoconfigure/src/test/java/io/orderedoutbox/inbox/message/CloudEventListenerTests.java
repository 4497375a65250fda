package io.orderedoutbox.inbox.message;

import java.net.URI;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.UUID;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.testing.OrderPlaced;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageBuilderSupport;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.jdbc.core.simple.JdbcClient;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Listeners that get CloudEvents, of the outbox and of others, on a real broker.
 */
class CloudEventListenerTests extends AbstractListenerTests {

	private static final String TYPES = "outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName();

	private static final String STRUCTURED = """
			{"specversion":"1.0","id":"1","source":"/erp","type":"order.placed","datacontenttype":"application/json",\
			"data":{"orderId":"a","version":1}}""";

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

	private List<String> identities() {
		return this.application.bean(JdbcClient.class)
			.sql("SELECT message_id FROM inbox_message ORDER BY message_id")
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
		Awaitility.await().untilAsserted(() -> assertThat(identities()).containsExactly("m1", "m2"));
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
	@ValueSource(booleans = { true, false })
	void aListenerMayTakeTheEventWithAndWithoutTypesByNames(boolean isTyped) {
		start(Events.class, isTyped ? new String[] { TYPES } : new String[0]);
		Date time = new Date(1_795_755_600_000L);
		deliver(foreign("cloudEvents:", "/erp", "1").setHeader("cloudEvents:time", time)
			.setHeader("cloudEvents:tenant", 17));
		awaitPayloads(CloudEventBuilder.v1()
			.withId("1")
			.withSource(URI.create("/erp"))
			.withType("order.placed")
			.withTime(time.toInstant().atOffset(ZoneOffset.UTC))
			.withExtension("tenant", "17")
			.withData("application/json", JSON.getBytes(UTF_8))
			.build());
	}

	@Test
	void anEventInStructuredModeIsReadIfItsFormatIsThere() {
		start(PlacedOnce.class, TYPES);
		for (int delivery = 0; delivery < 2; delivery++) {
			deliver(MessageBuilder.withBody(STRUCTURED.getBytes(UTF_8))
				.setContentType("application/cloudevents+json; charset=utf-8"));
		}
		deliver(foreign("cloudEvents_", "/erp", "1"));
		deliver(foreign("cloudEvents_", "/erp", "2"));
		awaitPayloads(new OrderPlaced("a", 1), new OrderPlaced("a", 1));
		assertThat(identities()).containsExactly("/erp 1", "/erp 2");
	}

	@Test
	@RequiresRabbitMq
	void anEventInAFormatThatIsNotThereIsRejected(CapturedOutput output) {
		start(PlacedOnce.class, TYPES);
		deliver(MessageBuilder.withBody(new byte[1]).setContentType("application/cloudevents+avro"));
		awaitDeadLetter(output,
				"is a CloudEvent in structured mode ('application/cloudevents+avro'), for which there is no format on the class path: for JSON add io.cloudevents:cloudevents-json-jackson");
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource(quoteCharacter = '"',
			textBlock = """
					specversion, "", "has no AMQP property 'type', which would say what it is, and no header 'cloudEvents_specversion'"
					specversion, 2.0, "is a CloudEvent of version '2.0', but only 1.0 and 0.3 can be read"
					type, "", is a CloudEvent without a type
					type, order.unknown, has a type that stands for no class
					id, "", "has no message_id, and is no CloudEvent with source and id"
					source, "", "has no message_id, and is no CloudEvent with source and id"
					source, a b, "has no message_id, and is no CloudEvent with source and id"
					""")
	void whatIsMissingOrUnknownIsRejectedByATypedListener(String attribute, String value, String reason,
			CapturedOutput output) {
		start(PlacedOnce.class, TYPES);
		deliver(with(foreign("cloudEvents_", "/erp", "1"), attribute, value));
		awaitDeadLetter(output, reason);
	}

	@ParameterizedTest
	@RequiresRabbitMq
	@CsvSource(quoteCharacter = '"', textBlock = """
			specversion, "", "is no CloudEvent: it has no header 'cloudEvents_specversion'"
			specversion, 2.0, is no valid CloudEvent (Invalid specversion: 2.0)
			type, "", "is no valid CloudEvent (Attribute 'type' cannot be null)"
			id, "", "is no valid CloudEvent (Attribute 'id' cannot be null)"
			source, "", "is no valid CloudEvent (Attribute 'source' cannot be null)"
			source, a b, is no valid CloudEvent (Invalid attribute/extension value for "source": a b)
			time, yesterday, is no valid CloudEvent (Invalid attribute/extension value for "time": yesterday)
			tenantId, x, is no valid CloudEvent (Invalid extensions name: tenantId)
			""")
	void whatIsNotValidIsRejectedByAListenerThatTakesEvents(String attribute, String value, String reason,
			CapturedOutput output) {
		start(Events.class);
		deliver(with(foreign("cloudEvents_", "/erp", "1"), attribute, value));
		awaitDeadLetter(output, "The message '");
		assertThat(output).contains(reason);
	}

	private static MessageBuilderSupport<Message> with(MessageBuilderSupport<Message> message, String attribute,
			String value) {
		String name = "cloudEvents_" + attribute;
		return value.isEmpty() ? message.removeHeader(name) : message.setHeader(name, value);
	}

	@Test
	void aListenerThatTakesSomethingElseGetsItAsEver() {
		start(Bytes.class);
		deliver(foreign("cloudEvents_", "/erp", "1"));
		deliver(MessageBuilder.withBody(STRUCTURED.getBytes(UTF_8)).setContentType("application/cloudevents+json"));
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

	static class Bytes extends Listener {

		@RabbitListener(queues = "${queue}")
		void on(byte[] body) {
			this.got.add(new String(body, UTF_8));
		}

	}

}
