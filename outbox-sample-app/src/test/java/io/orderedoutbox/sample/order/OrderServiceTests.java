/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.order;

import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.test.AutoConfigureOutboxTest;
import io.orderedoutbox.test.PublishedMessages;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase.Replace;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the service publishes: with the database of orders, and an outbox in memory. Each
 * test is rolled back.
 */
@JdbcTest
@AutoConfigureTestDatabase(replace = Replace.NONE)
@AutoConfigureOutboxTest
@Import({ OrderService.class, OrderRepository.class })
class OrderServiceTests {

	private static final OrderLine BOOK = new OrderLine("book", 2, new BigDecimal("9.90"));

	@Autowired
	private OrderService orders;

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = Servers.database().fresh();
		properties.add("spring.datasource.url", database::jdbcUrl);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
	}

	@Test
	void eachChangeIsAnEventOfItsOrderWithTheNextVersion(PublishedMessages messages) {
		UUID id = this.orders.place("Ada", List.of(BOOK));
		UUID other = this.orders.place("Grace", List.of(BOOK));
		this.orders.ship(id);
		assertThat(messages).withKey(id)
			.inOrder(new OrderPlaced(id, 1, "Ada", new BigDecimal("19.80")), new OrderShipped(id, 2));
		assertThat(messages).withKey(other).published(OrderPlaced.class).once();
	}

	@Test
	void consumersReadTheTotalAsANumber(PublishedMessages messages) {
		this.orders.place("Ada", List.of(BOOK));
		assertThat(messages).named("order.placed").withJson("""
				{ "version": 1, "customer": "Ada", "total": 19.80 }
				""");
	}

	@Test
	void anOrderThatIsClosedPublishesNothing(PublishedMessages messages) {
		UUID id = this.orders.place("Ada", List.of(BOOK));
		this.orders.cancel(id);
		assertThatExceptionOfType(OrderClosedException.class).isThrownBy(() -> this.orders.ship(id));
		assertThat(messages).publishedNothing(OrderShipped.class);
	}

}
