/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The chaos suite: a run, its course and its report.
 */
@NullMarked
package io.orderedoutbox.chaos;

import org.jspecify.annotations.NullMarked;
