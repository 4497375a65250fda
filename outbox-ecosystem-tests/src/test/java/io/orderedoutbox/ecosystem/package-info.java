/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The outbox in applications with other libraries: each test has the real library, a real
 * application and real servers.
 */
@NullMarked
package io.orderedoutbox.ecosystem;

import org.jspecify.annotations.NullMarked;
