/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an operator sees and does: the endpoint, the page, and what both show.
 */
@NullMarked
package io.orderedoutbox.monitor.console;

import org.jspecify.annotations.NullMarked;
