/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.modules.stock;

import org.springframework.stereotype.Service;

/**
 * Belongs to another module: a test of orders does without it.
 */
@Service
public class Stock {

}
