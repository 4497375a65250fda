/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A database and a broker for tests and for the sample: given by address, in Docker or
 * embedded.
 */
@NullMarked
package io.orderedoutbox.servers;

import org.jspecify.annotations.NullMarked;
