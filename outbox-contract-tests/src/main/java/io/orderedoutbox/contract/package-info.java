/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an implementation of an SPI has to keep, as JUnit tests: a test class of the
 * application extends the contract, and says how the implementation is made.
 */
@NullMarked
package io.orderedoutbox.contract;

import org.jspecify.annotations.NullMarked;
