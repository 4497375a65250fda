/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Events that are written with Lombok.
 */
package io.orderedoutbox.lombok;
