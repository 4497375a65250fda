/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.scenario;

import java.util.Map;

import io.orderedoutbox.benchmark.application.Instance;

/**
 * How the measured instances differ from the ordinary one: to see what a setting is
 * worth.
 *
 * @param properties of the application
 * @param driver options of the JDBC driver
 */
public record Tuning(Map<String, String> properties, Map<String, String> driver) {

	public static final Tuning NONE = new Tuning(Map.of(), Map.of());

	Instance.Builder of(Instance.Builder instance) {
		this.properties.forEach(instance::with);
		this.driver.forEach(instance::withJdbcOption);
		return instance;
	}

}
