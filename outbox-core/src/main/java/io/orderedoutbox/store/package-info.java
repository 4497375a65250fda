/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What publishing and relaying ask of a store, and nothing of how it stores.
 */
@NullMarked
package io.orderedoutbox.store;

import org.jspecify.annotations.NullMarked;
