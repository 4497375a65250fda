/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import org.springframework.stereotype.Service;

/**
 * A component that has nothing to do with messages.
 */
@Service
public class Invoices {

}
