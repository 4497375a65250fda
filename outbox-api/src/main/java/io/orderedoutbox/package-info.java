/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What an application uses: annotations, stamps, the envelope and the {@code Outbox}.
 */
@NullMarked
package io.orderedoutbox;

import org.jspecify.annotations.NullMarked;
