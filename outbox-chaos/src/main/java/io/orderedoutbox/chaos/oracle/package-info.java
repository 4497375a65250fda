/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What was committed, what arrived, and whether the two agree.
 */
@NullMarked
package io.orderedoutbox.chaos.oracle;

import org.jspecify.annotations.NullMarked;
