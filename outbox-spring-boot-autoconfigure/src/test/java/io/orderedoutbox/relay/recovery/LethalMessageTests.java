/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.time.Duration;
import java.util.stream.IntStream;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.ApplicationProcess;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A message that ends each process which sends it, in processes that are started one
 * after the other.
 */
@Tag("slow")
@Tag("thorough")
class LethalMessageTests {

	private static final int KEYS = 20;

	private static final String BLOCKED = "attempts > 0 AND lane IN (SELECT lane FROM outbox_parked "
			+ "WHERE available_at >= '9999-12-31')";

	private final Database database = Servers.database().fresh();

	// Two processes until it is alone, and one for each attempt but the last
	@Test
	void messageThatEndsItsProcessIsGivenUpAndAllOthersArrive() throws Exception {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication writer = OutboxApplication.on(this.database)
					.withoutRelay()
					.sendingTo(queue)
					.start()) {
			writer.transaction().executeWithoutResult((status) -> IntStream.range(0, KEYS).forEach((key) -> {
				writer.outbox().publish(new OrderPlaced("key-" + key, 1));
				writer.outbox().publish(new OrderPlaced("key-" + key, 2));
			}));
			writer.publish(new OrderLost("lethal", 1), new OrderPlaced("lethal", 2));
			int ended = 0;
			while (endsByItself(queue, ended % 2 == 0, writer)) {
				ended++;
				assertThat(ended).as("processes").isLessThan(8);
			}
			assertThat(ended).as("processes that the message has ended").isGreaterThanOrEqualTo(3);
			assertThat(writer.count(BLOCKED + " AND name = 'order.lost' AND attempts = 2"
					+ " AND last_error LIKE '%the process that was sending this message alone ended%'"))
				.isOne();
			assertThat(writer.count("attempts > 0")).isOne();
			queue.await(2 * KEYS);
			IntStream.range(0, KEYS)
				.forEach((key) -> assertThat(queue.versionsOf("key-" + key).stream().distinct()).containsExactly(1, 2));
			assertThat(queue.versionsOf("lethal")).isEmpty();
		}
	}

	private boolean endsByItself(TestQueue queue, boolean halt, OutboxApplication writer) throws Exception {
		int exitCode = new ApplicationProcess(LethalApplication.class, this.database)
			.with("outbox.rabbit.exchange", queue.exchange())
			.with("outbox.relay.stop-timeout", "1s")
			.with("outbox.retry.max-attempts", 2)
			.with("outbox.retry.initial-interval", "100ms")
			.with("halt", halt)
			.run((process) -> {
				Awaitility.await()
					.atMost(Duration.ofSeconds(50))
					.until(() -> !process.isAlive() || (writer.depth() == 2 && writer.count(BLOCKED) == 1));
				process.destroy();
			})
			.exitCode();
		return exitCode == LethalApplication.KILLED;
	}

}
