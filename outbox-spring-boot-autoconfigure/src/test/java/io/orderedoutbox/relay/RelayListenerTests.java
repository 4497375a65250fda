/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.testing.OrderLost;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a listener is told, and that it can do no harm.
 */
@ExtendWith(OutputCaptureExtension.class)
class RelayListenerTests {

	@Test
	void eachBatchIsToldOnceWithWhatCameOfIt() {
		try (TestQueue queue = TestQueue.bound("order.placed");
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with("outbox.retry.max-attempts", 1)
					.with(Diary.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1),
					new OrderLost("c", 1));
			queue.await(3);
			Diary diary = application.bean(Diary.class);
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> diary.published() == 3);
			assertThat(diary.batches).allSatisfy((batch) -> {
				assertThat(batch.lost()).isFalse();
				assertThat(batch.worker()).isBetween(1, 2);
				assertThat(batch.keys()).isBetween(1, batch.messages());
				assertThat(batch.durations().publish()).isPositive();
				batch.latencies((nanos) -> assertThat(nanos).isBetween(1L, Duration.ofMinutes(1).toNanos()));
			});
			assertThat(diary.batches.stream().flatMap((batch) -> batch.failed().stream())).singleElement()
				.satisfies((failed) -> {
					assertThat(failed.message().message().partitionKey()).isEqualTo("c");
					assertThat(failed.reason()).isIn(FailureReason.RETURNED, FailureReason.NACKED);
					assertThat(failed.consequence().fate()).isEqualTo(Fate.BLOCKED);
				});
		}
	}

	@Test
	void aListenerThatThrowsChangesNothingAndIsLoggedOnce(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.with(Saboteur.class, Diary.class)
					.start()) {
			for (int version = 1; version <= 5; version++) {
				application.publish(new OrderPlaced("a", version));
				queue.await(version);
			}
			application.awaitEmpty();
			assertThat(queue.versionsOf("a")).containsExactly(1, 2, 3, 4, 5);
			Diary diary = application.bean(Diary.class);
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> diary.published() == 5);
			assertThat(application.bean(OutboxRelay.class).outage()).isNull();
			assertThat(StringUtils.countOccurrencesOf(output.getOut(), "Saboteur failed.")).isOne();
		}
	}

	static class Diary implements RelayListener {

		final List<RelayBatch> batches = new CopyOnWriteArrayList<>();

		@Override
		public void batchEnded(RelayBatch batch) {
			this.batches.add(batch);
		}

		int published() {
			return this.batches.stream().mapToInt((batch) -> batch.published().size()).sum();
		}

	}

	static class Saboteur implements RelayListener {

		@Override
		public void batchEnded(RelayBatch batch) {
			throw new IllegalStateException("I do not like this batch");
		}

		@Override
		public void nothingFound() {
			throw new IllegalStateException("I do not like to wait");
		}

		@Override
		public String toString() {
			return "Saboteur";
		}

	}

}
