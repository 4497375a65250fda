/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What the build of an application that is processed ahead of time finds out about its
 * events.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.aot;

import org.jspecify.annotations.NullMarked;
