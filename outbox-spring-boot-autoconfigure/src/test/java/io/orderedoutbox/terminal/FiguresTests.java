/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.relay.batch.RelayBatch;
import io.orderedoutbox.relay.batch.RelayBatch.Durations;
import io.orderedoutbox.relay.batch.RelayBatch.Failed;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for what the {@link Figures} come from: {@link Rates}, {@link Progress} and
 * {@link RecentFailures}.
 */
@Tag("unit")
class FiguresTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private static final Duration TEN = Duration.ofSeconds(10);

	@Test
	void ratesAreThoseOfTheirWindows() {
		Rates rates = new Rates();
		// 10 in a second for two minutes, then 100 for ten seconds
		IntStream.rangeClosed(0, 120).forEach((second) -> rates.add(second * SECOND, second * 10));
		IntStream.rangeClosed(1, 10).forEach((second) -> rates.add((120 + second) * SECOND, 1200 + second * 100));
		assertThat(rates.perSecond(TEN)).isCloseTo(100, within(0.01));
		assertThat(rates.perSecond(Rates.LONGEST)).isCloseTo((1000 + 50 * 10) / 60.0, within(0.01));
	}

	@Test
	void untilAWindowIsOverTheRateIsThatSinceTheBeginning() {
		Rates rates = new Rates();
		rates.add(-5 * SECOND, 1_000_000);
		assertThat(rates.perSecond(TEN)).isZero();
		rates.add(-3 * SECOND, 1_000_050);
		assertThat(rates.perSecond(TEN)).isEqualTo(25);
		assertThat(rates.perSecond(Rates.LONGEST)).isEqualTo(25);
	}

	@Test
	void aRateComesDownToZero() {
		Rates rates = new Rates();
		rates.add(0, 0);
		rates.add(SECOND, 500);
		rates.add(12 * SECOND, 500);
		assertThat(rates.perSecond(TEN)).isZero();
		rates.add(62 * SECOND, 500);
		assertThat(rates.perSecond(Rates.LONGEST)).isZero();
	}

	@Test
	void progressBeginsAnewWhenTheOutboxWasEmpty() {
		Progress progress = new Progress();
		assertThat(List.of(5L, 20L, 10L, 20L, 0L, 3L, 2L)).extracting(progress::highest)
			.containsExactly(5L, 20L, 20L, 20L, 0L, 3L, 3L);
	}

	@Test
	void theLastFailuresAreRememberedOncePerMessage() {
		RecentFailures failures = new RecentFailures();
		failures.batchEnded(batch(false, failed(1, FailureReason.RETURNED), failed(2, FailureReason.NACKED)));
		failures.batchEnded(batch(false, failed(3, FailureReason.NACKED), failed(4, FailureReason.NACKED)));
		failures.batchEnded(batch(false, failed(2, FailureReason.UNCONFIRMED)));
		assertThat(failures.report().attempts()).isEqualTo(5);
		assertThat(failures.report().last()).extracting(RecentFailures.FailedMessage::messageId)
			.containsExactly(id(2).toString(), id(4).toString(), id(3).toString());
		assertThat(failures.report().last().get(0)).satisfies((failure) -> {
			assertThat(failure.error()).isEqualTo("error 2");
			assertThat(failure.age()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		});
	}

	@Test
	void whatWasNotTriedOrIsSentAgainDoesNotCount() {
		RecentFailures failures = new RecentFailures();
		failures.batchEnded(batch(true, failed(1, FailureReason.RETURNED)));
		failures.batchEnded(batch(false, failed(2, FailureReason.PAUSED)));
		assertThat(failures.report()).isEqualTo(new RecentFailures.Report(0, List.of()));
	}

	private static RelayBatch batch(boolean lost, Failed... failed) {
		return new RelayBatch(1, 1, failed.length, List.of(), List.of(failed), lost,
				new Durations(Duration.ZERO, Duration.ZERO, Duration.ZERO), null);
	}

	private static Failed failed(long id, FailureReason reason) {
		Message message = new Message(id(id), "order.placed", "a", new Destination("", ""), "text/plain", new byte[0],
				Map.of());
		return new Failed(new StoredMessage(id, message, Instant.EPOCH, 0, null), reason,
				FailedMessage.retried(id, "error " + id, Duration.ofSeconds(1)));
	}

	private static UUID id(long id) {
		return new UUID(0, id);
	}

}
