/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A small application that publishes, for the tests.
 */
@NullMarked
package io.orderedoutbox.test.shop;

import org.jspecify.annotations.NullMarked;
