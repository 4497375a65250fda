/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

/**
 * Something to say about one message that its annotations cannot say.
 * <p>
 * Stamps are given at the call, to {@link Outbox#publish(Object, Stamp...)} or on an
 * {@link OutboxEnvelope}. An explicit stamp wins over an annotation.
 */
public sealed interface Stamp permits PartitionKeyStamp, MessageIdStamp, HeaderStamp, DelayStamp, DeliverAtStamp {

}
