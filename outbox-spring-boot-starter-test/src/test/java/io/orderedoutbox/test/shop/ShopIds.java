/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test.shop;

import java.util.UUID;

import io.orderedoutbox.publish.MessageIdGenerator;

import org.springframework.stereotype.Component;

/**
 * A component that decides something about messages.
 */
@Component
public class ShopIds implements MessageIdGenerator {

	@Override
	public UUID next() {
		return UUID.randomUUID();
	}

}
