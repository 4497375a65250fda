/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.time.Duration;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayState;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.OrderShipped;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The tables of the outbox in a real database, and a sender in memory.
 */
@SpringBootTest(classes = ShopApplication.class, webEnvironment = WebEnvironment.NONE,
		properties = { "outbox.ordered=true", "outbox.jdbc.initialize-schema=always", "outbox.relay.mode=off",
				"outbox.capture.retention=1d" })
@AutoConfigureOutboxTest(replace = Part.SENDER)
class ReplacedSenderTests {

	@Autowired
	private Orders orders;

	@Autowired
	private JdbcClient jdbc;

	@DynamicPropertySource
	static void database(DynamicPropertyRegistry properties) {
		Database database = Servers.database().fresh();
		properties.add("spring.datasource.url", database::jdbcUrl);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
	}

	@Test
	void theRelayThatTheTestDrivesReadsTheTables(PublishedMessages messages, OutboxRelayDriver relay,
			@Autowired OutboxRelay background) {
		this.orders.place(1);
		this.orders.ship(1);
		assertThat(rows()).isEqualTo(2);
		assertThat(messages.committed()).inOrder(new OrderPlaced(1), new OrderShipped(1));
		assertThat(messages.arrived()).publishedNothing();
		assertThat(background.state()).isEqualTo(RelayState.PAUSED);
		assertThat(relay.drain().totals().published()).isEqualTo(2);
		assertThat(messages.arrived()).inOrder(new OrderPlaced(1), new OrderShipped(1));
		assertThat(rows()).isZero();
		this.orders.ship(2);
		assertThat(relay.drain().totals().published()).isEqualTo(1);
	}

	private long rows() {
		return this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single();
	}

	@Test
	void theClockIsThatOfTheDatabase(OutboxRelayDriver relay) {
		assertThatIllegalStateException().isThrownBy(() -> relay.advance(Duration.ofHours(1)))
			.withMessageContaining("in a database");
	}

}
