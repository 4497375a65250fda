/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A database and a broker in the process, for a machine that has only a JDK.
 */
@NullMarked
package io.orderedoutbox.sample.embedded;

import org.jspecify.annotations.NullMarked;
