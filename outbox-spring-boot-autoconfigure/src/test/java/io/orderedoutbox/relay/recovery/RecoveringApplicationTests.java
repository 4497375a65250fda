/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.recovery;

import java.time.Duration;
import java.util.stream.Collectors;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that start after an instance on another host was killed.
 */
@ExtendWith(OutputCaptureExtension.class)
class RecoveringApplicationTests {

	private static final String SENDING = "SELECT sending FROM outbox_instance WHERE host <> 'elsewhere'";

	private final Database database = Servers.database().fresh();

	private final TestQueue queue = TestQueue.forEverything();

	@AfterEach
	void deleteQueue() {
		this.queue.close();
	}

	@Test
	void withAPoolThatHasNoConnectionToNoteWithEverythingIsSentAllTheSame(CapturedOutput output) {
		killedAfterNoting(10);
		try (OutboxApplication application = application().with("outbox.relay.workers", 1)
			.with("spring.datasource.hikari.maximum-pool-size", 1)
			.with("spring.datasource.hikari.connection-timeout", 1000)
			.start()) {
			this.queue.await(10);
			application.awaitEmpty();
			assertThat(output).contains("one connection more than it has workers");
		}
	}

	@Test
	void suspectsAndOthersAreSentInOrderAndNothingStaysNoted() {
		killedAfterNoting(40);
		try (OutboxApplication application = application().with("outbox.relay.batch-size", 10).start()) {
			application.publish(new OrderPlaced("key-0", 2), new OrderPlaced("other", 1));
			this.queue.await(42);
			application.awaitEmpty();
			assertThat(this.queue.versionsOf("key-0")).containsExactly(1, 2);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> application.jdbc().sql(SENDING).query(String.class).single().isEmpty());
		}
	}

	@Test
	void aMessageThatWasAloneSpendsAnAttemptAndIsSentWhenItIsDueAgain() {
		killedAfterNoting(1);
		try (OutboxApplication application = application().with("outbox.retry.initial-interval", "500ms").start()) {
			Awaitility.await().until(() -> application.count("attempts = 1 AND last_error LIKE '%alone ended%'") == 1);
			this.queue.await(1);
			application.awaitEmpty();
		}
	}

	// As many messages of as many keys
	private void killedAfterNoting(int messages) {
		try (OutboxApplication writer = application().withoutRelay().start()) {
			writer.transaction().executeWithoutResult((status) -> {
				for (int i = 0; i < messages; i++) {
					writer.outbox().publish(new OrderPlaced("key-" + i, 1));
				}
			});
			String positions = writer.jdbc()
				.sql("SELECT id FROM outbox_message")
				.query(String.class)
				.list()
				.stream()
				.collect(Collectors.joining(","));
			writer.jdbc()
				.sql("""
						INSERT INTO outbox_instance (id, host, pid, ordered, started_at, heartbeat_at, sending)
						VALUES (UUID(), 'elsewhere', 1, TRUE, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) - INTERVAL 10 MINUTE, ?)""")
				.param(positions)
				.update();
		}
	}

	private OutboxApplication.Builder application() {
		return OutboxApplication.on(this.database).sendingTo(this.queue);
	}

}
