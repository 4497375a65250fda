/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.aot.shop;

import java.util.List;
import java.util.UUID;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.listen.OutboxListener;
import io.orderedoutbox.listen.ReceivedMessage;

import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with events in its own package, and one that gets a payload from
 * elsewhere.
 */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class Shop {

	@Bean
	Warehouse warehouse() {
		return new Warehouse();
	}

	@OutboxMessage("order.placed")
	public record Placed(@PartitionKey OrderId orderId, List<Line> lines) {

	}

	public record OrderId(UUID value) {

	}

	public record Line(String product, int quantity) {

	}

	public sealed interface Changed {

		@PartitionKey
		String orderId();

	}

	public record Renamed(String orderId, String name) implements Changed {

	}

	public abstract static class Moved {

		@PartitionKey
		private final String orderId = new String("k");

	}

	public static class MovedAway extends Moved {

	}

	public record Unrelated(String text) {

	}

	public record Delivered(String parcel, Address address) {

	}

	public record Address(String street) {

	}

	static class Warehouse {

		@OutboxListener("parcel.delivered")
		void on(Delivered delivered, ReceivedMessage message) {
		}

	}

}
