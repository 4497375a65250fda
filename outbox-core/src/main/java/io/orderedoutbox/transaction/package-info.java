/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Work in a transaction of the library's own, on the tables of the outbox or the inbox;
 * and what listens to those of the application before it is known who has to.
 */
@NullMarked
package io.orderedoutbox.transaction;

import org.jspecify.annotations.NullMarked;
