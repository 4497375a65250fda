/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * An application of two Spring Modulith modules.
 */
@NullMarked
package io.orderedoutbox.test.modules;

import org.jspecify.annotations.NullMarked;
