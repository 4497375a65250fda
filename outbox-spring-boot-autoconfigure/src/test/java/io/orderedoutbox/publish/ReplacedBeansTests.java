/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Every part of the write path that an application can replace by declaring a bean.
 */
class ReplacedBeansTests {

	@Test
	void strategiesOfTheApplicationAreUsed() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.ordered", "false")
			.with(Strategies.class)
			.start()) {
			application.publish(new Fact("one"), new OrderPlaced("no fact", 1), new Fact("two"));
			assertThat(application.rows()).hasSize(2).last().satisfies((row) -> {
				assertThat(row.messageId()).isEqualTo("00000000-0000-0000-0000-000000000002");
				assertThat(row.name()).isEqualTo("fact.fact");
				assertThat(row.exchange()).isEqualTo("facts");
				assertThat(row.routingKey()).isEqualTo("fact.fact/Fact");
				assertThat(row.contentType()).isEqualTo("text/plain");
				assertThat(row.text()).isEqualTo("fact: two");
			});
		}
	}

	@Test
	void policyOfTheApplicationIsNotAskedWhereTheCallerHasNamedTheOutbox() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Nothing.class)
			.start()) {
			application.inTransaction((outbox) -> {
				application.context().publishEvent(new OrderPlaced("selected", 1));
				outbox.publish(new OrderPlaced("explicit", 1));
				outbox.publish(OutboxEnvelope.of(new OrderPlaced("envelope", 1)));
				application.context().publishEvent(OutboxEnvelope.of(new OrderPlaced("envelope event", 1)));
			});
			assertThat(application.rows()).extracting(StoredRow::partitionKey)
				.containsExactly("explicit", "envelope", "envelope event");
			assertThat(application.bean(Nothing.class).asked).containsExactly(new OrderPlaced("selected", 1));
		}
	}

	@Test
	void mapperOfTheApplicationIsUsed() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("spring.jackson.property-naming-strategy", "SNAKE_CASE")
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.rows().get(0).text()).isEqualTo("{\"order_id\":\"a\",\"version\":1}");
		}
	}

	@Test
	void partitionerOfTheApplicationIsUsedAndMustStayInRange() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("outbox.partitions", 16)
			.with(ByLength.class)
			.start()) {
			Business business = Business.in(application.jdbc());
			application.publish(new OrderPlaced("a", 1));
			application.publish(new OrderPlaced("bb", 1), new OrderPlaced("ccc", 1));
			assertThat(
					application.jdbc().sql("SELECT lane FROM outbox_message ORDER BY id").query(Integer.class).list())
				.containsExactly(1, 2, 3);
			for (int events : new int[] { 1, 2 }) {
				assertThatExceptionOfType(OutboxConfigurationException.class)
					.isThrownBy(() -> application.inTransaction((outbox) -> {
						business.write("not without its event");
						IntStream.range(0, events)
							.forEach((event) -> outbox.publish(new OrderPlaced("x".repeat(16), event)));
					}))
					.withMessage("The Partitioner returned partition 16 for key 'xxxxxxxxxxxxxxxx', "
							+ "but there are partitions 0 to 15. Correct the Partitioner bean.");
			}
			assertThat(business.notes()).isEmpty();
			assertThat(application.depth()).isEqualTo(3);
		}
	}

	@Test
	void storeOfTheApplicationTakesTheMessagesInsideTheTransaction() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Shelf.class)
			.start()) {
			assertThat(application.context().getBeanProvider(JdbcOutboxStore.class).getIfAvailable()).isNull();
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			Shelf shelf = application.bean(Shelf.class);
			assertThat(shelf.messages).extracting(Message::partitionKey).containsExactly("a", "b");
			application.jdbc().sql("CREATE TABLE shelf (name VARCHAR(20))").update();
			assertThatIllegalStateException()
				.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
					application.jdbc().sql("INSERT INTO shelf VALUES ('business')").update();
					application.outbox().publish(new OrderPlaced("full", 1), PartitionKeyStamp.of("full"));
				}))
				.withMessage("The shelf is full");
			assertThat(application.jdbc().sql("SELECT COUNT(*) FROM shelf").query(Integer.class).single()).isZero();
		}
	}

	record Fact(String text) {

	}

	static class Nothing implements PublicationPolicy {

		private final List<Object> asked = new ArrayList<>();

		@Override
		public boolean isOutboxMessage(Object event) {
			if (event instanceof OrderPlaced) {
				this.asked.add(event);
			}
			return false;
		}

	}

	static class Strategies {

		private final AtomicLong ids = new AtomicLong();

		@Bean
		PublicationPolicy onlyFacts() {
			return (event) -> event instanceof Fact;
		}

		@Bean
		MessageNamingStrategy factual() {
			return (type) -> "fact." + type.getSimpleName().toLowerCase(Locale.ROOT);
		}

		@Bean
		PayloadSerializer plainText() {
			return (event) -> new Payload(("fact: " + ((Fact) event).text()).getBytes(StandardCharsets.UTF_8),
					"text/plain");
		}

		@Bean
		MessageIdGenerator counting() {
			return () -> new UUID(0, this.ids.incrementAndGet());
		}

		@Bean
		RoutingStrategy toFacts() {
			return (publication) -> Route.to("facts",
					publication.name() + "/" + publication.eventType().getSimpleName());
		}

	}

	static class ByLength implements Partitioner {

		@Override
		public int partition(String partitionKey, int partitions) {
			return partitionKey.length();
		}

	}

	static class Shelf implements OutboxStore {

		private final List<Message> messages = new ArrayList<>();

		@Override
		public Set<Integer> append(List<Message> messages) {
			if (messages.stream().anyMatch((message) -> message.partitionKey().equals("full"))) {
				throw new IllegalStateException("The shelf is full");
			}
			this.messages.addAll(messages);
			return Set.of();
		}

	}

}
