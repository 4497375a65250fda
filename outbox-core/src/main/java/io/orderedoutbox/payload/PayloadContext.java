/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.payload;

/**
 * Which message a payload belongs to. What is bound to it cannot be taken for the payload
 * of another message.
 *
 * @param messageId the id of the message, the same when it is published, relayed, sent
 * again from the archive, and received
 * @param name the name of the message
 */
public record PayloadContext(String messageId, String name) {

}
