/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.List;
import java.util.Map;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Properties of an application that has chosen the prefix of the outbox. No metadata
 * describe them.
 */
@ConfigurationProperties("outbox")
public record ShopProperties(String topic, int retryCount, @Name("import") String source, Region region,
		List<String> shops, boolean orderer, Map<String, Region> regions, Relay relay) {

	public record Region(String name, Currency currency) {

	}

	public record Currency(String code) {

	}

	/**
	 * Has the same name as one of the outbox's.
	 */
	public record Relay(String station) {

	}

}
