/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What operators see. Publishing and relaying do not depend on this package.
 */
@NullMarked
package io.orderedoutbox.monitor;

import org.jspecify.annotations.NullMarked;
