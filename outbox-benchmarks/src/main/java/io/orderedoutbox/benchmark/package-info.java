/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How fast the outbox is. Every figure stands beside a limit that was measured in the
 * same run on the same servers. Here are the command line, the list of all scenarios, and
 * the report.
 */
@NullMarked
package io.orderedoutbox.benchmark;

import org.jspecify.annotations.NullMarked;
