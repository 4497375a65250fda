/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Messages that wait: how fast relays drain them, alone and beside what could slow them
 * down, and how long a claim takes.
 */
@NullMarked
package io.orderedoutbox.benchmark.backlog;

import org.jspecify.annotations.NullMarked;
