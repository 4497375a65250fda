/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import io.orderedoutbox.testing.TestTopic;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for two outboxes of one application that send with different senders.
 */
@Tag("order")
class NamedOutboxSendersTests {

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void close() {
		this.queue.close();
	}

	@Test
	@Tag("slow")
	void oneSendsToKafkaAndTheOtherToRabbit() {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = application().with("outbox.named.billing.sender", "kafka")
					.with("outbox.named.billing.kafka.topic", topic.name())
					.with("spring.kafka.bootstrap-servers", Servers.kafka().bootstrapServers())
					.start()) {
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("a", version), new InvoiceSent("a", version));
			}
			this.queue.await(20);
			assertThat(this.queue.versionsOf("a")).hasSize(20).isSorted();
			assertThat(topic.await(20))
				.allMatch((arrival) -> "invoice.sent".equals(TestTopic.header(arrival, "x-message-name")))
				.extracting((arrival) -> new String(arrival.value()).replaceAll("\\D+", ""))
				.isEqualTo(versions());
			assertThat(threads()).anyMatch((name) -> name.contains("outbox-billing-relay"))
				.noneMatch((name) -> name.endsWith(" | outbox-relay-1"));
		}
	}

	@Test
	@Tag("slow")
	void theOneWithoutANameSendsToKafkaAndTheOtherToRabbit() {
		try (TestTopic topic = TestTopic.of(Servers.kafka());
				OutboxApplication application = application().with("outbox.sender", "kafka")
					.with("outbox.kafka.topic", topic.name())
					.with("outbox.named.billing.rabbit.exchange", this.queue.exchange())
					.with("spring.kafka.bootstrap-servers", Servers.kafka().bootstrapServers())
					.start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("a", 2));
			assertThat(topic.await(1))
				.allMatch((arrival) -> "order.placed".equals(TestTopic.header(arrival, "x-message-name")));
			assertThat(this.queue.await(1)).allMatch((arrival) -> arrival.routingKey().equals("invoice.sent"));
		}
	}

	@Test
	void theNamesOfMessagesChooseTheSenderOfANamedOutbox() {
		try (OutboxApplication application = application().with(Collecting.class)
			.with("outbox.named.billing.rabbit.exchange", this.queue.exchange())
			.with("outbox.named.billing.senders[invoice.*]", "collecting")
			.start()) {
			application.publish(new InvoiceSent("a", 1), new ReminderSent("a"), new OrderPlaced("a", 1));
			assertThat(this.queue.await(2)).extracting((arrival) -> arrival.routingKey())
				.containsExactlyInAnyOrder("reminder.sent", "order.placed");
			assertThat(collected(application)).containsExactly("invoice.sent");
		}
	}

	@Test
	void aSenderWithoutAQualifierServesAllButThoseWhosePropertiesChooseOne() {
		try (OutboxApplication application = application().with(CollectingForAll.class)
			.with("outbox.named.billing.sender", "rabbit")
			.with("outbox.named.billing.rabbit.exchange", this.queue.exchange())
			.with("outbox.named.shipping.jdbc.initialize-schema", "always")
			.with("outbox.named.shipping.jdbc.table-prefix", "shipping_")
			.start()) {
			application.publish(new InvoiceSent("a", 1), new OrderPlaced("a", 1), new ParcelSent("a"));
			assertThat(this.queue.await(1)).allMatch((arrival) -> arrival.routingKey().equals("invoice.sent"));
			Awaitility.await()
				.untilAsserted(() -> assertThat(collected(application)).containsExactlyInAnyOrder("order.placed",
						"parcel.sent"));
		}
	}

	@Test
	void aSenderThatIsQualifiedWithTheNameSendsForThatOutboxAlone() {
		try (OutboxApplication application = application().with(CollectingForBilling.class).start()) {
			application.publish(new InvoiceSent("a", 1), new OrderPlaced("a", 1));
			assertThat(this.queue.await(1)).allMatch((arrival) -> arrival.routingKey().equals("order.placed"));
			Awaitility.await().untilAsserted(() -> assertThat(collected(application)).containsExactly("invoice.sent"));
		}
	}

	@Test
	void aSenderThatIsNotThereIsToldByTheWrittenProperty() {
		assertThatThrownBy(() -> application().with("outbox.named.billing.sender", "nowhere").start())
			.hasStackTraceContaining("The outbox 'billing' needs the MessageSender 'nowhere'")
			.hasStackTraceContaining("outbox.named.billing.sender");
	}

	@Test
	void oneSendsToListenersOfTheApplicationAndTheOtherToRabbit() {
		try (OutboxApplication application = application().with(Listening.class)
			.with("outbox.named.billing.sender", "in-process")
			.start()) {
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("a", version), new InvoiceSent("a", version));
			}
			assertThat(this.queue.await(20)).allMatch((arrival) -> arrival.routingKey().equals("order.placed"));
			List<String> heard = application.bean(Listening.class).heard;
			Awaitility.await().untilAsserted(() -> assertThat(heard).isEqualTo(versions()));
			assertThat(application.bean(Listening.class).threads)
				.allMatch((name) -> name.startsWith("outbox-billing-listener-"));
		}
	}

	@Test
	void listenersHearOutboxesThatAllHaveNames() {
		try (OutboxApplication application = application().with(Listening.class)
			.with("outbox.enabled", false)
			.with("outbox.named.billing.sender", "in-process")
			.start()) {
			application.publish((Object) new InvoiceSent("a", 1));
			List<String> heard = application.bean(Listening.class).heard;
			Awaitility.await().untilAsserted(() -> assertThat(heard).containsExactly("1"));
		}
	}

	private static List<String> versions() {
		return IntStream.rangeClosed(1, 20).mapToObj(String::valueOf).toList();
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

	private static List<String> collected(OutboxApplication application) {
		return application.bean(CollectingSender.class).names;
	}

	private Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.sendingTo(this.queue)
			.with("outbox.relay.poll-interval", "50ms")
			.with("outbox.named.billing.ordered", true)
			.with("outbox.named.billing.relay.poll-interval", "50ms")
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_");
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(@PartitionKey String customer, int number) {

	}

	@OutboxMessage(value = "reminder.sent", outbox = "billing")
	record ReminderSent(@PartitionKey String customer) {

	}

	@OutboxMessage(value = "parcel.sent", outbox = "shipping")
	record ParcelSent(@PartitionKey String customer) {

	}

	static class Listening {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@OutboxListener
		void sent(InvoiceSent invoice) {
			this.heard.add(String.valueOf(invoice.number()));
			this.threads.add(Thread.currentThread().getName());
		}

	}

	static final class CollectingSender implements MessageSender {

		private final List<String> names = new CopyOnWriteArrayList<>();

		@Override
		public void withChannel(Consumer<SendingChannel> work) {
			Queue<Outcome> outcomes = new ArrayDeque<>();
			work.accept(new SendingChannel() {

				@Override
				public void send(StoredMessage message) {
					CollectingSender.this.names.add(message.message().name());
					outcomes.add(Outcome.published(message.id()));
				}

				@Override
				public @Nullable Outcome nextOutcome(Duration timeout) {
					return outcomes.poll();
				}

			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Collecting {

		@Bean(defaultCandidate = false)
		CollectingSender collecting() {
			return new CollectingSender();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CollectingForAll {

		@Bean
		CollectingSender collecting() {
			return new CollectingSender();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class CollectingForBilling {

		@Bean(defaultCandidate = false)
		@Qualifier("billing")
		CollectingSender ofBilling() {
			return new CollectingSender();
		}

	}

}
