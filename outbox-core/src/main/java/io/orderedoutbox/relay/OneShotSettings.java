/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.relay.batch.WorkerSettings;

/**
 * What a {@link OneShotRelay} goes by.
 *
 * @param workers number of threads
 * @param limit greatest number of messages that are sent, zero for any number
 * @param timeLimit how long new messages are sent, zero for as long as there are any
 * @param stopTimeout how long a stop waits for messages in flight
 * @param worker what each worker goes by
 */
public record OneShotSettings(int workers, long limit, Duration timeLimit, Duration stopTimeout,
		WorkerSettings worker) {

}
