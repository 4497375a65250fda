/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.test.shop.OrderPlaced;
import io.orderedoutbox.test.shop.Orders;
import io.orderedoutbox.test.shop.ShopApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.context.ContextConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is in memory takes the place of what the application has marked as primary.
 */
@Tag("unit")
@OutboxTest
@ContextConfiguration(classes = ShopApplication.class)
@Import({ Orders.class, PrimaryBeansTests.OfTheApplication.class })
class PrimaryBeansTests {

	@Test
	void thoseOfTheTestAreUsed(@Autowired Orders orders, PublishedMessages messages, OutboxRelayDriver relay,
			@Autowired MessageSender sender) {
		orders.place(42);
		assertThat(relay.drain().totals().published()).isEqualTo(1);
		assertThat(messages.arrived()).inOrder(new OrderPlaced(42));
		assertThat(sender).isInstanceOf(InMemoryMessageSender.class);
	}

	/**
	 * What a test in memory must not reach.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OfTheApplication {

		@Bean
		@Primary
		MessageSender sender() {
			return (work) -> {
				throw new IllegalStateException("The sender of the application was used");
			};
		}

		@Bean
		@Primary
		OutboxStore store() {
			return (messages) -> {
				throw new IllegalStateException("The store of the application was used");
			};
		}

		@Bean
		@Primary
		RelayStore relayStore() {
			return () -> {
				throw new IllegalStateException("The store of the application was used");
			};
		}

	}

}
