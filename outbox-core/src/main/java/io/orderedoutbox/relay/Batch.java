/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;

/**
 * What became of the messages of one claim of a {@link OneShotRelay}.
 *
 * @param worker the number of the worker, from 1
 * @param claimed how many messages were claimed
 * @param published how many of them the broker has taken
 * @param failed how many of them failed, or were not tried because what they go to is
 * paused
 * @param claim how long it took to claim them
 * @param send how long it took to send them and to hear of their outcomes
 * @param complete how long it took to store the outcomes
 */
public record Batch(int worker, int claimed, int published, int failed, Duration claim, Duration send,
		Duration complete) {

}
