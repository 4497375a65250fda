/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The promise of the first page: publish in a transaction, and it arrives, in order.
 */
@Tag("order")
class GettingStartedTests {

	@Test
	void committedEventsArriveInOrder() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.start()) {
			for (int version = 1; version <= 20; version++) {
				application.publish(new OrderPlaced("a", version), new OrderPlaced("b", version));
			}
			queue.await(40);
			application.awaitEmpty();
			for (String order : new String[] { "a", "b" }) {
				assertThat(
						queue.arrivals().stream().map(TestQueue.Arrival::text).filter((text) -> text.contains(order)))
					.hasSize(20)
					.isSortedAccordingTo(java.util.Comparator.comparingInt(GettingStartedTests::version));
			}
		}
	}

	private static int version(String text) {
		return Integer.parseInt(text.replaceAll("\\D", ""));
	}

}
