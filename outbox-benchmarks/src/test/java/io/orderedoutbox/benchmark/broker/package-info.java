/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Tests of what has to arrive: it is fed with violations and must find each of them.
 */
package io.orderedoutbox.benchmark.broker;
