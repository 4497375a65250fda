/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Auto-configuration: properties and wiring, and nothing that runs.
 */
@NullMarked
package io.orderedoutbox.autoconfigure;

import org.jspecify.annotations.NullMarked;
