/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What a script that creates tables says about them, and how the tables of a database
 * differ from that. Outbox and inbox both use it, and it knows neither.
 */
@NullMarked
package io.orderedoutbox.schema;

import org.jspecify.annotations.NullMarked;
