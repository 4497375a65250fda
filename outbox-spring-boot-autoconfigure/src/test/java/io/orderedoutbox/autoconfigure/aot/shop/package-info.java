/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The events of an application, for tests of what a build finds.
 */
package io.orderedoutbox.autoconfigure.aot.shop;
