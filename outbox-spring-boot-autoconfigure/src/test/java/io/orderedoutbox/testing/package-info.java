/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the tests share: an application with the outbox, and a queue that remembers.
 */
package io.orderedoutbox.testing;
