/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of the oracle: it is fed with violations and must find each of them.
 */
package io.orderedoutbox.chaos.oracle;
