/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What tells an application that does not start, or that says something without an
 * effect, what to change.
 */
@NullMarked
package io.orderedoutbox.autoconfigure.diagnostics;

import org.jspecify.annotations.NullMarked;
