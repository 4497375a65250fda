/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.relay.batch.WorkerSettings;

/**
 * What a relay goes by.
 *
 * @param autoStartup whether it starts with the application
 * @param workers number of threads, each with a connection to the store and a channel to
 * the broker while it works
 * @param stopTimeout how long a stop waits for messages in flight
 * @param worker what each worker goes by
 */
public record RelaySettings(boolean autoStartup, int workers, Duration stopTimeout, WorkerSettings worker) {

}
