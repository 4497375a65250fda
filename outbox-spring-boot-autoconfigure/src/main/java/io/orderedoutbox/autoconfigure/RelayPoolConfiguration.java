/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.Objects;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.send.OutboxScope;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A connection pool of the relay's own, a copy of the application's.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(HikariDataSource.class)
@ConditionalOnSwitch(Switch.RELAY_POOL)
class RelayPoolConfiguration {

	@Bean(defaultCandidate = false)
	@OutboxRelayDataSource
	HikariDataSource orderedOutboxRelayDataSource(ObjectProvider<DataSource> dataSource,
			@OutboxDataSource ObjectProvider<DataSource> outboxDataSource, OutboxProperties properties) {
		HikariDataSource pool = DataSourceUnwrapper.unwrap(DataSourceChoice.of(dataSource, outboxDataSource),
				HikariConfigMXBean.class, HikariDataSource.class);
		if (pool == null) {
			throw new OutboxConfigurationException(
					"'outbox.relay.pool-size' is set, but the DataSource of the outbox is no HikariCP pool that could be copied.",
					"Remove the property, and declare a DataSource of the relay's own: @Bean(defaultCandidate = false) @OutboxRelayDataSource.");
		}
		// Not made from a configuration: that pool would connect at once
		HikariDataSource copy = new HikariDataSource();
		pool.copyStateTo(copy);
		copy.setPoolName(OutboxScope.label("outbox-relay"));
		copy.setMaximumPoolSize(Objects.requireNonNull(properties.relay().poolSize()));
		return copy;
	}

}
