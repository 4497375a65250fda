/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.ManualClock;
import io.orderedoutbox.relay.StandingClaim;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("unit")
class OpenBatchTests {

	private static final RetryPolicy BACK_OFF = new RetryPolicy(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0);

	private final ManualClock clock = new ManualClock();

	// A worker that did not pause would send the same batch again at once, for ever
	@Test
	void aClaimThatIsLostIsAnOutageOfTheStore() {
		StoredMessage message = new StoredMessage(1, new Message(new UUID(0, 1), "order.placed", "a",
				new Destination("", "key"), "text/plain", new byte[0], Map.of()), Instant.EPOCH, 0, null);
		StandingClaim lost = new StandingClaim(List.of(new KeySequence(List.of(message)))) {

			@Override
			public boolean renew() {
				return false;
			}

		};
		WorkerSettings settings = new WorkerSettings(Duration.ofSeconds(1), Duration.ofSeconds(1), 10, false,
				Duration.ofSeconds(1), Duration.ZERO, new FailurePolicy(BACK_OFF, 0, OnExhausted.BLOCK), BACK_OFF);
		Dispatch dispatch = new Dispatch(lost, settings, new CircuitBreakers(BACK_OFF, this.clock), () -> false,
				this.clock, this.clock.getAsLong());
		OpenBatch batch = new OpenBatch(lost, 0, this.clock);
		List<RelayBatch> ended = new ArrayList<>();
		RelayBatch told = batch.relay(0, dispatch, (work) -> {
			throw new AssertionError("Something is sent");
		}, ended::add);
		assertThat(ended).containsExactly(told).first().matches(RelayBatch::lost);
		assertThat(WorkFailure.of(batch.refusal())).isEqualTo(WorkFailure.STORE_OUTAGE);
	}

}
