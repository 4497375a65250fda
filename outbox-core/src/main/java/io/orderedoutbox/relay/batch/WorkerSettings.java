/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;

/**
 * What every worker of a relay goes by.
 *
 * @param pollInterval how long an idle worker waits before it looks by itself
 * @param batchTime how long a worker sends the messages of one claim: then it sends
 * nothing more, waits for what is in flight, and completes the claim
 * @param maxInFlight greatest number of messages sent and not yet confirmed
 * @param pipelinedKeys whether several messages of one key may be in flight: should the
 * broker refuse one, those behind it have overtaken it
 * @param confirmTimeout how long the broker may take to confirm a message
 * @param renewInterval how long a claim may be used without asking the store whether it
 * still stands
 * @param retry what becomes of a message that failed
 * @param outage how long a worker waits while broker or store cannot be reached
 */
public record WorkerSettings(Duration pollInterval, Duration batchTime, int maxInFlight, boolean pipelinedKeys,
		Duration confirmTimeout, Duration renewInterval, FailurePolicy retry, RetryPolicy outage) {

}
