/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of the faults and what they say of themselves.
 */
package io.orderedoutbox.chaos.fault;
