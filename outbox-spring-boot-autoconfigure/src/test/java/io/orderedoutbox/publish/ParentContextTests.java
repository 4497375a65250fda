/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;

import io.orderedoutbox.OutboxEnvelope;
import io.orderedoutbox.PartitionKeyStamp;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A context hands its events on to its parent: two outboxes in a hierarchy would store
 * each of them twice, under two ids that no consumer could tell for one message.
 */
class ParentContextTests {

	@Test
	void anEventOfTheChildIsStoredOnce() {
		try (OutboxApplication parent = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
				ConfigurableApplicationContext child = child(parent)) {
			parent.transaction()
				.executeWithoutResult((status) -> child.publishEvent(new OrderPlaced("of the child", 1)));
			parent.publish(new OrderPlaced("of the parent", 1));
			assertThat(parent.jdbc()
				.sql("SELECT partition_key FROM outbox_message ORDER BY id")
				.query(String.class)
				.list()).containsExactly("of the child", "of the parent");
		}
	}

	// Spring hands the event on to the parent as it is, and not where it comes from
	@Test
	void whatIsInAnEnvelopeOfTheChildReachesTheListenersOfTheParentAlone() {
		try (OutboxApplication parent = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start();
				ConfigurableApplicationContext child = child(parent)) {
			List<String> heard = new ArrayList<>();
			hear(parent.context(), "parent", heard);
			hear(child, "child", heard);
			parent.transaction()
				.executeWithoutResult((status) -> child
					.publishEvent(OutboxEnvelope.of(new OrderPlaced("in an envelope", 1), PartitionKeyStamp.of("a"))));
			assertThat(parent.depth()).isOne();
			assertThat(heard).containsExactly("parent");
		}
	}

	private static void hear(ConfigurableApplicationContext context, String name, List<String> heard) {
		context.addApplicationListener((PayloadApplicationEvent<?> event) -> {
			if (event.getPayload() instanceof OrderPlaced) {
				heard.add(name);
			}
		});
	}

	private static ConfigurableApplicationContext child(OutboxApplication parent) {
		return new SpringApplicationBuilder(Child.class).parent(parent.context())
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run("--spring.main.banner-mode=off", "--outbox.ordered=true", "--outbox.relay.mode=off",
					"--spring.autoconfigure.exclude=" + OutboxApplication.JPA);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Child {

	}

}
