/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Puts a {@link WatchedDataSource} under the pool of an application.
 */
@Configuration(proxyBeanMethods = false)
class WatchedPool {

	@Bean
	static BeanPostProcessor watchingPoolPostProcessor() {
		return new UnderPool(WatchedDataSource::new);
	}

}
