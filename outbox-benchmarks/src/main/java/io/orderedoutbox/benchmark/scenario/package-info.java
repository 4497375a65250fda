/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a scenario is, and what all of them are measured with.
 */
@NullMarked
package io.orderedoutbox.benchmark.scenario;

import org.jspecify.annotations.NullMarked;
