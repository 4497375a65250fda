/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.core.env.Environment;

/**
 * Pools of applications with several databases.
 */
final class Pools {

	private Pools() {
	}

	/**
	 * A pool for a database, with the user of the application.
	 * @param url the property that has its URL
	 */
	static HikariDataSource of(Environment environment, String url) {
		return DataSourceBuilder.create()
			.type(HikariDataSource.class)
			.url(environment.getRequiredProperty(url))
			.username(environment.getRequiredProperty("spring.datasource.username"))
			.password(environment.getRequiredProperty("spring.datasource.password"))
			.build();
	}

}
