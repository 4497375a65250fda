/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * An application with the outbox, which is measured: its instances, its data, and the
 * event that it publishes.
 */
@NullMarked
package io.orderedoutbox.benchmark.application;

import org.jspecify.annotations.NullMarked;
