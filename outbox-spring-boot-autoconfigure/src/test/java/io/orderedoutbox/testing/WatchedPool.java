/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Puts a {@link WatchedDataSource} under the pool of an application.
 */
@Configuration(proxyBeanMethods = false)
class WatchedPool {

	@Bean
	static BeanPostProcessor watchingPoolPostProcessor() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (bean instanceof HikariDataSource pool) {
					pool.setDataSource(new WatchedDataSource(
							new DriverManagerDataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword())));
					pool.setUsername(null);
				}
				return bean;
			}

		};
	}

}
