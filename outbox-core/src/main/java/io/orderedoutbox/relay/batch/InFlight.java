/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import io.orderedoutbox.store.StoredMessage;

/**
 * A message that was sent and whose outcome is not known yet.
 *
 * @param progress that of its sequence
 * @param index where the message is in its sequence
 * @param message the message
 * @param sentAt when it was sent, by {@link System#nanoTime}
 */
record InFlight(SequenceProgress progress, int index, StoredMessage message, long sentAt) {

}
