/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.kafka;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.EmbeddedKafka;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.RelayRecorder;
import io.orderedoutbox.testing.SenderTampering;
import io.orderedoutbox.testing.TestTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * An application whose outbox sends to Kafka.
 */
@Tag("order")
@Tag("slow")
class KafkaSenderTests {

	private static OutboxApplication.Builder to(TestTopic topic) {
		return to(topic.kafka()).with("outbox.kafka.topic", topic.name());
	}

	private static OutboxApplication.Builder to(EmbeddedKafka kafka) {
		return OutboxApplication.on(Servers.database().fresh())
			.with("outbox.sender", "kafka")
			.with("outbox.retry.initial-interval", "100ms")
			.with("outbox.retry.max-interval", "500ms")
			.with("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
	}

	private static List<String> versionsOf(String order, TestTopic topic) {
		return topic.firstArrivals()
			.stream()
			.filter((arrival) -> order.equals(arrival.key()))
			.map((arrival) -> text(arrival).replaceAll(".*\"version\":(\\d+).*", "$1"))
			.toList();
	}

	private static String text(ConsumerRecord<String, byte[]> arrival) {
		return new String(arrival.value(), StandardCharsets.UTF_8);
	}

	private static List<String> upTo(int version) {
		return IntStream.rangeClosed(1, version).mapToObj(String::valueOf).toList();
	}

	@Test
	void aRecordHasThePartitionKeyAndHeadersForTheRest() {
		try (TestTopic topic = TestTopic.of(Servers.kafka()); OutboxApplication application = to(topic).start()) {
			UUID id = application.transaction()
				.execute((status) -> application.outbox()
					.publish(new OrderPlaced("a", 1), HeaderStamp.of("tenant", "blue"),
							HeaderStamp.of("content-type", "text/of-an-application")));
			ConsumerRecord<String, byte[]> arrival = topic.await(1).get(0);
			assertThat(arrival.key()).isEqualTo("a");
			assertThat(text(arrival)).isEqualTo("{\"orderId\":\"a\",\"version\":1}");
			assertThat(TestTopic.header(arrival, "x-message-id")).isEqualTo(String.valueOf(id));
			assertThat(TestTopic.header(arrival, "x-message-name")).isEqualTo("order.placed");
			assertThat(TestTopic.header(arrival, "content-type")).isEqualTo("application/json");
			assertThat(TestTopic.header(arrival, "tenant")).isEqualTo("blue");
			assertThat(Long.valueOf(TestTopic.header(arrival, "x-published-at")) / 1_000_000)
				.isCloseTo(System.currentTimeMillis() / 1000, within(600L));
			assertThat(arrival.headers()).hasSize(5);
			application.awaitEmpty();
		}
	}

	@Test
	void aRecordWhoseConsumerHasToUncompressItSaysSo() throws IOException {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic).with("outbox.payload.compression.enabled", true)
					.with("outbox.payload.compression.min-size", "100B")
					.start()) {
			application.publish((Object) new OrderPlaced("x".repeat(190), 1));
			ConsumerRecord<String, byte[]> arrival = topic.await(1).get(0);
			assertThat(TestTopic.header(arrival, "content-encoding")).isEqualTo("gzip");
			assertThat(new GZIPInputStream(new ByteArrayInputStream(arrival.value())).readAllBytes()).asString()
				.isEqualTo("{\"orderId\":\"%s\",\"version\":1}".formatted("x".repeat(190)));
			application.awaitEmpty();
		}
	}

	@Test
	void aRelayWhoseClockIsWrongSpendsNoAttempt() {
		TwoDaysAhead.isWrong = true;
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic)
					.with("spring.kafka.producer.properties.interceptor.classes", TwoDaysAhead.class.getName())
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1));
			Awaitility.await().until(() -> application.count("last_error LIKE '%clock of the relay%'") == 2);
			assertThat(application.count("attempts > 0")).isZero();
			TwoDaysAhead.isWrong = false;
			topic.await(3);
			assertThat(versionsOf("a", topic)).isEqualTo(upTo(2));
			application.awaitEmpty();
		}
		finally {
			TwoDaysAhead.isWrong = false;
		}
	}

	@Test
	void aRelayThatIsStoppedAndStartedLeavesNoProducerBehind() {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic).with("outbox.relay.workers", 1).start()) {
			OutboxRelay relay = application.bean(OutboxRelay.class);
			for (int version = 1; version <= 4; version++) {
				application.publish((Object) new OrderPlaced("a", version));
				topic.await(version);
				Awaitility.await().until(() -> producers() == 1);
				relay.stop();
				relay.start();
			}
		}
		Awaitility.await().until(() -> producers() == 0);
	}

	private static long producers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("kafka-producer-network-thread"))
			.count();
	}

	@Test
	void aMessageWithoutAKeyHasNone() {
		try (TestTopic topic = TestTopic.of(Servers.kafka()); OutboxApplication application = to(topic).start()) {
			application.inTransaction((outbox) -> outbox.publish(new OrderPlaced("a", 1), PartitionKeyStamp.none()));
			assertThat(topic.await(1).get(0).key()).isNull();
		}
	}

	@Test
	void propertiesComeBeforeTheAnnotationAndThatComesBeforeTheTopicForAll() {
		try (TestTopic ordinary = TestTopic.of(Servers.kafka());
				TestTopic configured = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(ordinary).withoutRelay()
					.with("outbox.kafka.topics[order.placed]", configured.name())
					.start()) {
			application.publish(new OrderPlaced("a", 1), new Shipped("a"), new Billed("a"));
			assertThat(application.rows()).extracting("exchange")
				.containsExactly(configured.name(), "shipping.order.shipped", ordinary.name());
			assertThat(application.rows()).extracting("routingKey").containsOnly("");
			assertThatExceptionOfType(OutboxPublicationException.class)
				.isThrownBy(() -> application.publish((Object) new Nowhere("a")))
				.withMessageContaining("the topic 'no topic', and Kafka allows no such name");
		}
	}

	@Test
	void anInstanceThatOnlyWritesNeedsNoClient() {
		try (OutboxApplication application = to(Servers.kafka()).withoutRelay()
			.with("outbox.kafka.topic", "orders")
			.hiding("org.apache.kafka", "org.springframework.kafka", "org.springframework.boot.kafka")
			.start()) {
			application.publish((Object) new OrderPlaced("a", 1));
			assertThat(application.rows()).extracting("exchange").containsExactly("orders");
		}
	}

	@Test
	void withoutTheClientARelayDoesNotStartAndSaysWhatIsMissing() {
		assertThatException()
			.isThrownBy(() -> to(Servers.kafka())
				.hiding("org.apache.kafka", "org.springframework.kafka", "org.springframework.boot.kafka")
				.start())
			.withStackTraceContaining("With outbox.sender=kafka, add spring-boot-starter-kafka");
	}

	@Test
	void rabbitMqStaysTheDefaultWhereBothAreThere() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).start()) {
			assertThat(application.context().getBeansOfType(MessageSender.class))
				.containsOnlyKeys("orderedOutboxMessageSender");
		}
	}

	@Test
	@Tag("thorough")
	void theOrderOfEachKeyIsKeptWhileTheBrokerIsKilledAndStartedAgain() {
		int keys = 20;
		int versions = 60;
		try (EmbeddedKafka kafka = EmbeddedKafka.start();
				TestTopic topic = TestTopic.of(kafka);
				OutboxApplication application = to(topic).with(RelayRecorder.class)
					.with("outbox.relay.confirm-timeout", "2s")
					.start()) {
			for (int version = 1; version <= versions; version++) {
				List<Object> events = new ArrayList<>();
				for (int key = 0; key < keys; key++) {
					events.add(new OrderPlaced("order-" + key, version));
				}
				application.publish(events.toArray());
				if (version % 20 == 10) {
					kafka.kill();
				}
				if (version % 20 == 0) {
					kafka.restart();
				}
			}
			kafka.restart();
			topic.await(keys * versions);
			application.awaitEmpty();
			for (int key = 0; key < keys; key++) {
				assertThat(versionsOf("order-" + key, topic)).containsExactlyElementsOf(upTo(versions));
			}
			assertThat(application.bean(RelayRecorder.class).failures()).as("attempts spent by an outage").isEmpty();
		}
	}

	@Test
	void aRecordThatIsTooLargeHoldsItsKeyAndNoOther() {
		try (TestTopic topic = TestTopic.of(Servers.kafka(), Map.of("max.message.bytes", "20000"));
				OutboxApplication application = to(topic)
					.with("spring.kafka.producer.properties[max.request.size]", "100000")
					.start()) {
			application.publish(new OrderPlaced("a", 1), new Large("a", "x".repeat(50_000)), new OrderPlaced("a", 2),
					new Large("b", "x".repeat(200_000)), new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			topic.await(2);
			Awaitility.await()
				.until(() -> application.count("attempts > 1 AND partition_key = 'a'") == 1
						&& application.count("attempts > 1 AND partition_key = 'b'") == 1);
			assertThat(topic.firstArrivals()).extracting(ConsumerRecord::key).containsExactlyInAnyOrder("a", "c");
			assertThat(application.count("last_error LIKE 'refused by the broker: %RecordTooLarge%'")).isOne();
			assertThat(application.count("last_error LIKE 'refused by the client: %RecordTooLarge%'")).isOne();
			assertThat(application.depth()).isEqualTo(4);
		}
	}

	@Test
	void recordsOfOneBatchDoNotSpendAnAttemptForOneThatIsRefused() {
		try (TestTopic topic = TestTopic.of(Servers.kafka(), Map.of("cleanup.policy", "compact"));
				OutboxApplication application = to(topic).with(RelayRecorder.class)
					// So that they share batches
					.with("spring.kafka.producer.properties[linger.ms]", "100")
					.with("spring.kafka.producer.properties[partitioner.class]", OnePartition.class.getName())
					.start()) {
			application.inTransaction((outbox) -> {
				for (int i = 0; i < 10; i++) {
					outbox.publish(new OrderPlaced("before-" + i, 1));
				}
				// A topic that keeps the last record of each key takes none without one
				outbox.publish(new OrderPlaced("a", 1), PartitionKeyStamp.none());
				for (int i = 0; i < 10; i++) {
					outbox.publish(new OrderPlaced("after-" + i, 1));
				}
			});
			topic.await(20);
			Awaitility.await().until(() -> application.depth() == 1);
			assertThat(topic.arrivals()).extracting(ConsumerRecord::key).doesNotContainNull().doesNotHaveDuplicates();
			Awaitility.await().until(() -> application.count("last_error LIKE '%InvalidRecord%'") == 1);
			assertThat(application.bean(RelayRecorder.class).failures()).extracting("id")
				.containsOnly(application.rows().get(0).id());
		}
	}

	@Test
	@Tag("thorough")
	void aTopicThatIsMissingHoldsItsKeysAloneUntilItIsThere() {
		String missing = "outbox-test-" + UUID.randomUUID();
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic).with("outbox.kafka.topics[order.billed]", missing)
					.with("outbox.relay.confirm-timeout", "1s")
					.start()) {
			application.publish(new Billed("a"), new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			topic.await(1);
			Awaitility.await()
				.until(() -> application.count("last_error LIKE 'the broker has no topic ''" + missing + "''%'") == 1);
			assertThat(topic.firstArrivals()).extracting(ConsumerRecord::key).containsExactly("b");
			TestTopic.create(Servers.kafka(), missing, Map.of());
			// Half a minute, in which the sender does not ask for a topic that was
			// missing
			Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> application.depth() == 0);
			assertThat(topic.await(2)).extracting(ConsumerRecord::key).containsExactlyInAnyOrder("a", "b");
		}
	}

	@Test
	void aTopicThatIsSilentIsPausedWhileTheOthersGoOn() {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				TestTopic silent = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic).with(OneTopicIsSilent.class)
					.with("outbox.kafka.topics[order.billed]", silent.name())
					.with("outbox.relay.confirm-timeout", "1s")
					.start()) {
			for (int i = 1; i <= 50; i++) {
				application.publish(new Billed("silent-" + i), new OrderPlaced("a", i));
				topic.arrivals();
			}
			topic.await(50);
			assertThat(versionsOf("a", topic)).containsExactlyElementsOf(upTo(50));
			Awaitility.await().until(() -> application.count("last_error LIKE 'no confirm from the broker%'") > 0);
			// Only what arrives elsewhere meanwhile proves that it is not the broker that
			// is
			// silent
			AtomicInteger others = new AtomicInteger(50);
			Awaitility.await().until(() -> {
				application.publish(new OrderPlaced("a", others.incrementAndGet()));
				return application.count("last_error LIKE '%paused%no confirm from the broker%'") > 0;
			});
			topic.await(others.get());
			assertThat(versionsOf("a", topic)).containsExactlyElementsOf(upTo(others.get()));
			application.awaitDepth(50);
			application.bean(OneTopicIsSilent.class).over = true;
			application.awaitEmpty();
			assertThat(silent.await(50)).hasSize(50);
		}
	}

	@Test
	void whatIsSentAgainHasTheSameId() {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = to(topic).with(FirstOutcomeIsLost.class)
					.with("outbox.relay.confirm-timeout", "500ms")
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("a", 3));
			application.awaitEmpty();
			topic.await(3);
			List<String> ids = topic.arrivals().stream().map(TestTopic::messageId).toList();
			assertThat(ids).hasSizeGreaterThan(3);
			assertThat(ids.get(1)).as("the first message, again").isEqualTo(ids.get(0));
			assertThat(versionsOf("a", topic)).containsExactly("1", "2", "3");
		}
	}

	/**
	 * Keeps one outcome from the relay.
	 */
	@Configuration(proxyBeanMethods = false)
	static class FirstOutcomeIsLost {

		@Bean
		static SenderTampering firstOutcomeIsLost() {
			AtomicInteger outcomes = new AtomicInteger();
			return new SenderTampering() {
				@Override
				protected Outcome seen(Outcome outcome) {
					return (outcomes.incrementAndGet() == 1) ? null : outcome;
				}
			};
		}

	}

	/**
	 * Keeps the outcomes of messages with one name from the relay.
	 */
	static class OneTopicIsSilent extends SenderTampering {

		private final Set<Long> silent = ConcurrentHashMap.newKeySet();

		private volatile boolean over;

		@Override
		protected void beforeSend(StoredMessage message) {
			if (message.message().name().equals("order.billed")) {
				this.silent.add(message.id());
			}
		}

		@Override
		protected Outcome seen(Outcome outcome) {
			return (this.over || !this.silent.contains(outcome.id())) ? outcome : null;
		}

	}

	/**
	 * Sends everything to one partition.
	 */
	public static final class OnePartition implements Partitioner {

		@Override
		public int partition(String topic, Object key, byte[] keyBytes, Object value, byte[] valueBytes,
				Cluster cluster) {
			return 0;
		}

		@Override
		public void close() {
		}

		@Override
		public void configure(Map<String, ?> configuration) {
		}

	}

	@OutboxMessage("order.shipped")
	@KafkaDestination(topic = "shipping.{name}")
	record Shipped(@PartitionKey String orderId) {
	}

	@OutboxMessage("order.billed")
	record Billed(@PartitionKey String orderId) {
	}

	@OutboxMessage("order.large")
	record Large(@PartitionKey String orderId, String text) {
	}

	@OutboxMessage("order.nowhere")
	@KafkaDestination(topic = "no topic")
	record Nowhere(@PartitionKey String orderId) {
	}

	/**
	 * A clock that can be wrong.
	 */
	public static final class TwoDaysAhead implements ProducerInterceptor<String, byte[]> {

		static volatile boolean isWrong;

		@Override
		public ProducerRecord<String, byte[]> onSend(ProducerRecord<String, byte[]> sent) {
			long time = System.currentTimeMillis() + Duration.ofDays(2).toMillis();
			return isWrong ? new ProducerRecord<>(sent.topic(), sent.partition(), time, sent.key(), sent.value(),
					sent.headers()) : sent;
		}

		@Override
		public void configure(Map<String, ?> settings) {
		}

		@Override
		public void onAcknowledgement(RecordMetadata metadata, Exception failure) {
		}

		@Override
		public void close() {
		}

	}

}
