/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import io.orderedoutbox.OutboxMessage;

/**
 * An event that ordered mode refuses.
 */
@OutboxMessage("keyless")
public record Keyless(String text) {

}
