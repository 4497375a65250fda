/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.timeline;

import java.time.Instant;

/**
 * An event that was committed.
 *
 * @param version the position of the event in its order
 * @param name the name of the message
 * @param recordedAt when it was written, shortly before the commit, by the clock of the
 * database
 */
public record CommittedEvent(long version, String name, Instant recordedAt) {
}
