/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The order fuzzer: many writers, several relays that die again and again, and an oracle
 * that knows the order of the commits without asking the outbox.
 */
package io.orderedoutbox.order;
