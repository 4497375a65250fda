/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The test starter, used as an application would use it.
 */
@NullMarked
package io.orderedoutbox.test;

import org.jspecify.annotations.NullMarked;
