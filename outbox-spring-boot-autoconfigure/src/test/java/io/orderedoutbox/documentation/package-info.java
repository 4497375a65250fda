/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The documentation is tested like code: what it shows compiles, binds or runs.
 */
package io.orderedoutbox.documentation;
