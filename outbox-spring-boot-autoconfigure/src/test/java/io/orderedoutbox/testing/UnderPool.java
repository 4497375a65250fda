/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Puts a {@link DataSource} under the pool of an application.
 */
public final class UnderPool implements BeanPostProcessor {

	private final UnaryOperator<DataSource> wrapper;

	/**
	 * Create a post-processor.
	 * @param wrapper makes it of the one that opens the connections
	 */
	public UnderPool(UnaryOperator<DataSource> wrapper) {
		this.wrapper = wrapper;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool) {
			pool.setDataSource(this.wrapper
				.apply(new DriverManagerDataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword())));
			pool.setUsername(null);
		}
		return bean;
	}

}
