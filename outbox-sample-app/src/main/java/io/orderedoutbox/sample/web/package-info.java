/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The HTTP interface that the page uses.
 */
@NullMarked
package io.orderedoutbox.sample.web;

import org.jspecify.annotations.NullMarked;
