/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.net.URI;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;

import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.data.BytesCloudEventData;
import io.cloudevents.core.message.impl.BaseGenericBinaryMessageReaderImpl;
import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestQueue.Arrival;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the outbox sends as CloudEvents is what the library of CloudEvents reads.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class CloudEventsTests {

	private static final Publication PUBLICATION = new Publication(new UUID(0, 1), "order.placed", "event", "a", 1,
			Map.of());

	private final Database database = Servers.database().fresh();

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.queue.close();
	}

	private OutboxApplication.Builder cloudEvents() {
		return OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.with("outbox.rabbit.format", "cloudevents")
			.with("outbox.rabbit.cloud-events.source", "/shop/orders");
	}

	@Test
	void whatIsSentIsReadByTheLibraryAsTheSameEvent() {
		UUID id;
		OffsetDateTime time;
		try (OutboxApplication application = cloudEvents().withoutRelay().start()) {
			id = application.publish((Object) new OrderPlaced("a", 1));
			application.jdbc().sql("UPDATE outbox_message SET created_at = '2026-11-27 05:00:00.123456'").update();
			time = OffsetDateTime.of(2026, 11, 27, 5, 0, 0, 123_456_000, ZoneOffset.UTC);
		}
		try (OutboxApplication application = cloudEvents().start()) {
			Arrival arrival = this.queue.await(1).get(0);
			assertThat(read(arrival)).isEqualTo(CloudEventBuilder.v1()
				.withId(id.toString())
				.withSource(URI.create("/shop/orders"))
				.withType("order.placed")
				.withTime(time)
				.withData("application/json", "{\"orderId\":\"a\",\"version\":1}".getBytes(UTF_8))
				.build());
			assertThat(arrival.messageId()).isEqualTo(id.toString());
			assertThat(arrival.properties().getType()).isEqualTo("order.placed");
			assertThat(arrival.properties().getTimestamp()).hasSameTimeAs("2026-11-27T05:00:00Z");
			assertThat(arrival.properties().getContentType()).isEqualTo("application/json");
			assertThat(arrival.text()).isEqualTo("{\"orderId\":\"a\",\"version\":1}");
			assertThat(headers(arrival)).isEqualTo(Map.of("x-message-id", id.toString(), "cloudEvents_specversion",
					"1.0", "cloudEvents_id", id.toString(), "cloudEvents_type", "order.placed", "cloudEvents_source",
					"/shop/orders", "cloudEvents_time", "2026-11-27T05:00:00.123456Z"));
			application.awaitEmpty();
		}
	}

	@Test
	void theFormatIsPlainUnlessYouAskForAnotherOne() {
		try (OutboxApplication application = OutboxApplication.on(this.database).sendingTo(this.queue).start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			assertThat(this.queue.await(1).get(0).properties().getHeaders()).containsOnlyKeys("x-message-id");
		}
	}

	@Test
	void theKeyIsToldOnlyIfYouAskForIt() {
		try (OutboxApplication application = cloudEvents().start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			assertThat(read(this.queue.await(1).get(0)).getExtensionNames()).isEmpty();
		}
		try (OutboxApplication application = cloudEvents().with("outbox.rabbit.headers.partition-key", true).start()) {
			application.publish((Object) new OrderPlaced("a", 2));
			Arrival arrival = this.queue.await(2).get(1);
			assertThat(read(arrival).getExtension("partitionkey")).isEqualTo("a");
			assertThat(arrival.properties().getHeaders()).containsKey("x-partition-key");
			application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 3), PartitionKeyStamp.none()));
			assertThat(headers(this.queue.await(3).get(2))).doesNotContainKey("cloudEvents_partitionkey");
		}
	}

	@Test
	void aKeyThatCanBeNoAttributeIsRefusedOnlyIfYouAskForIt() {
		OrderPlaced event = new OrderPlaced("a\u001fb", 1);
		try (OutboxApplication application = cloudEvents().withoutRelay().start()) {
			application.publish((Object) event);
			assertThat(application.depth()).isEqualTo(1);
		}
		try (OutboxApplication application = cloudEvents().withoutRelay()
			.with("outbox.rabbit.headers.partition-key", true)
			.start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.publish((Object) event))
				.withMessageContaining("the partition key would be the attribute 'partitionkey'")
				.withMessageContaining("must have no control characters");
			assertThat(application.depth()).isEqualTo(1);
		}
	}

	@Test
	void aHeaderWithThePrefixIsAnAttribute() {
		try (OutboxApplication application = cloudEvents().with(Tenants.class).start()) {
			application.inTransaction(
					(outbox) -> outbox.publish(new OrderPlaced("a", 1), HeaderStamp.of("cloudEvents_subject", "first"),
							HeaderStamp.of("cloudEvents_dataschema", "https://shop.example.com/order.json"),
							HeaderStamp.of("other", "x")));
			CloudEvent event = read(this.queue.await(1).get(0));
			assertThat(event.getSubject()).isEqualTo("first");
			assertThat(event.getDataSchema()).hasToString("https://shop.example.com/order.json");
			assertThat(event.getExtensionNames()).containsExactly("tenant");
			assertThat(event.getExtension("tenant")).isEqualTo("17");
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"',
			textBlock = """
					cloudEvents_id, x, is an attribute that the outbox sets itself
					cloudEvents_partitionkey, x, is an attribute that the outbox sets itself
					cloudEvents_tenantId, x, must have lower-case letters a to z and digits only
					cloudEvents_tenant-id, x, must have lower-case letters a to z and digits only
					cloudEvents_, x, must have lower-case letters a to z and digits only
					cloudEvents_data, x, has a name that CloudEvents reserve
					cloudEvents:tenant, x, begin it with 'cloudEvents_'
					cloudEvents_subject, "", "must be text, and not empty"
					cloudEvents_dataschema, /order.json, must be an absolute URI
					cloudEvents_dataschema, a b, must be an absolute URI
					cloudEvents_dataschema, "", "must be text, and not empty"
					cloudEvents_dataschema, https://shop.example.com/o.json#order, "must be an absolute URI, which has no fragment"
					cloudEvents_dataschema, https://shop.example.com/o?a[1], must be an absolute URI
					""")
	void aHeaderThatCanBeNoAttributeIsRefusedWhenItIsPublished(String name, String value, String reason) {
		HeaderStamp stamp = HeaderStamp.of(name, value);
		try (OutboxApplication application = cloudEvents().withoutRelay().start()) {
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), stamp)))
				.withMessageContaining(name)
				.withMessageContaining(reason);
			assertThat(application.depth()).isZero();
		}
		try (OutboxApplication plain = OutboxApplication.on(this.database).withoutRelay().start()) {
			plain.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), stamp));
			assertThat(plain.rows()).extracting(StoredRow::headers).allMatch((headers) -> headers.contains(name));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cloudEvents_id", "cloudEvents:tenant", "cloudEvents_subject" })
	void aHeaderOfARouteThatCanBeNoAttributeIsRefused(String name) {
		assertRefused(name, 17L);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, '\n', 0x7f, 0x85, 0xfdd0, 0xfffe, 0x1ffff })
	void textOfAttributesHasNoControlCharacters(int character) {
		assertRefused("cloudEvents_tenant", "a" + Character.toString(character));
		assertRefused("cloudEvents_subject", "a" + Character.toString(character));
	}

	@Test
	void numbersOfAttributesAreWholeAndHave32Bits() {
		assertRefused("cloudEvents_tenant", 1.5);
		assertRefused("cloudEvents_tenant", Integer.MAX_VALUE + 1L);
		assertRefused("cloudEvents_tenant", Integer.MIN_VALUE - 1L);
		RoutingStrategy valid = new CloudEventRouting((publication) -> Route.to("shop", "x")
			.withHeader("cloudEvents_most", Integer.MAX_VALUE)
			.withHeader("cloudEvents_least", Integer.MIN_VALUE)
			.withHeader("cloudEvents_urgent", true)
			.withHeader("other", 1.5), false);
		assertThat(valid.route(PUBLICATION).headers()).hasSize(4);
	}

	private static void assertRefused(String name, Object value) {
		RoutingStrategy routing = new CloudEventRouting((publication) -> Route.to("shop", "x").withHeader(name, value),
				false);
		assertThatIllegalArgumentException().isThrownBy(() -> routing.route(PUBLICATION)).withMessageContaining(name);
	}

	// What was published before the format was switched on
	@Test
	void attributesOfTheOutboxWinOverHeadersThatAreStored() {
		try (OutboxApplication plain = OutboxApplication.on(this.database)
			.sendingTo(this.queue)
			.withoutRelay()
			.start()) {
			plain.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1),
					HeaderStamp.of("cloudEvents_id", "forged"), HeaderStamp.of("cloudEvents_source", "forged")));
		}
		try (OutboxApplication application = cloudEvents().start()) {
			Arrival arrival = this.queue.await(1).get(0);
			assertThat(read(arrival).getId()).isEqualTo(arrival.messageId());
			assertThat(read(arrival).getSource()).hasToString("/shop/orders");
			application.awaitEmpty();
		}
	}

	@Test
	void theSourceIsTheNameOfTheApplicationUnlessItIsGiven() {
		try (OutboxApplication application = cloudEvents().with("spring.application.name", "orders")
			.with("outbox.rabbit.cloud-events.source", "")
			.start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			assertThat(read(this.queue.await(1).get(0)).getSource()).hasToString("orders");
		}
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', textBlock = """
			"", "", there is neither outbox.rabbit.cloud-events.source nor spring.application.name
			"", the shop, "The source of CloudEvents, 'the shop' from spring.application.name, is no URI reference"
			shop:, orders, "'shop:' from outbox.rabbit.cloud-events.source, is no URI reference"
			"/shop?a[1]", orders, "'/shop?a[1]' from outbox.rabbit.cloud-events.source, is no URI reference"
			Bücher, orders, "'Bücher' from outbox.rabbit.cloud-events.source, is no URI reference"
			""")
	void withoutAValidSourceTheApplicationDoesNotStart(String source, String name, String reason,
			CapturedOutput output) {
		assertThatException().isThrownBy(() -> cloudEvents().with("outbox.rabbit.cloud-events.source", source)
			.with("spring.application.name", name)
			.start()
			.close());
		assertThat(output).contains("APPLICATION FAILED TO START", reason,
				"Set outbox.rabbit.cloud-events.source to a URI reference, such as");
		cloudEvents().with("outbox.rabbit.cloud-events.source", source).withoutRelay().start().close();
	}

	private static Map<String, String> headers(Arrival arrival) {
		Map<String, String> headers = new HashMap<>();
		arrival.properties().getHeaders().forEach((name, value) -> headers.put(name, value.toString()));
		return headers;
	}

	private static CloudEvent read(Arrival arrival) {
		Map<String, Object> headers = arrival.properties().getHeaders();
		SpecVersion version = SpecVersion.parse(headers.get("cloudEvents_specversion").toString());
		return new BaseGenericBinaryMessageReaderImpl<String, Object>(version,
				BytesCloudEventData.wrap(arrival.body())) {

			@Override
			protected boolean isContentTypeHeader(String key) {
				return key.equals("content-type");
			}

			@Override
			protected boolean isCloudEventsHeader(String key) {
				return key.startsWith("cloudEvents_");
			}

			@Override
			protected String toCloudEventsKey(String key) {
				return key.substring("cloudEvents_".length());
			}

			@Override
			protected void forEachHeader(BiConsumer<String, Object> each) {
				each.accept("content-type", arrival.properties().getContentType());
				headers.forEach(each);
			}

			@Override
			protected String toCloudEventsValue(Object value) {
				return value.toString();
			}

		}.toEvent();
	}

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		RoutingStrategy routing(@Value("${outbox.rabbit.exchange}") String exchange) {
			return (publication) -> Route.to(exchange, publication.name()).withHeader("cloudEvents_tenant", 17);
		}

	}

}
