/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.admin;

import java.time.Duration;
import java.time.Instant;

/**
 * What a worker of a relay was doing when its instance last said so.
 *
 * @param instance the instance, under another name after each start
 * @param id number of the worker within its instance, from one on
 * @param host name of the host
 * @param pid id of the process
 * @param startedAt when the instance started, by the clock of the database
 * @param heartbeatAt when it said so, by the clock of the database
 * @param silence how long ago that was; an instance that died has a long one until it is
 * removed
 * @param state {@code idle}, {@code busy}, {@code waiting} for broker or database,
 * {@code paused} or {@code stopped}
 * @param batches how many batches it has ended since the relay was started
 * @param keysInHand how many partition keys it had claimed
 */
public record RelayWorkerStatus(String instance, int id, String host, long pid, Instant startedAt, Instant heartbeatAt,
		Duration silence, String state, long batches, int keysInHand) {

}
