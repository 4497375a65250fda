/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What operators use: what is in the outbox, in which state it is, who relays it, and the
 * verbs that change it.
 */
@NullMarked
package io.orderedoutbox.admin;

import org.jspecify.annotations.NullMarked;
