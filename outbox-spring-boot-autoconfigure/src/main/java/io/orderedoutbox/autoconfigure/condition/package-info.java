/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Conditions: which parts of the library properties switch on and off.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.condition;

import org.jspecify.annotations.NullMarked;
