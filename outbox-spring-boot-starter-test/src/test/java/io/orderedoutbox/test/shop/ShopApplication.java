/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application that keeps the order of partition keys.
 */
@SpringBootApplication
public class ShopApplication {

}
