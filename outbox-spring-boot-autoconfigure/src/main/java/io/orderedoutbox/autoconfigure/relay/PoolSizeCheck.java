/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.jdbc.OutboxDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.util.ClassUtils;

/**
 * Warns of a pool in which the workers of the relay leave no connection for anybody else:
 * each holds one while it works on a batch.
 */
final class PoolSizeCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(PoolSizeCheck.class);

	private static final String HIKARI = "com.zaxxer.hikari.HikariDataSource";

	private final OutboxDatabase database;

	private final List<DataSourcePoolMetadataProvider> pools;

	private final int workers;

	private final boolean isPoolOfProperty;

	PoolSizeCheck(OutboxDatabase database, List<DataSourcePoolMetadataProvider> pools, Relay relay) {
		this.database = database;
		this.pools = pools;
		this.workers = relay.workers();
		this.isPoolOfProperty = relay.poolSize() != null;
	}

	@Override
	public void afterSingletonsInstantiated() {
		DataSource ofRelay = this.database.background().dataSource();
		DataSourcePoolMetadata pool = new CompositeDataSourcePoolMetadataProvider(this.pools)
			.getDataSourcePoolMetadata(ofRelay);
		Integer size = (pool != null) ? pool.getMax() : null;
		// Some pools call a size of zero or less unlimited
		if (size != null && size > 0 && size <= this.workers) {
			warn(size, ofRelay == this.database.dataSource());
		}
	}

	// Boot's properties for HikariCP do nothing for other pools, and no other pool can be
	// copied for the relay
	private String remedyOfApplication(int enough) {
		return isHikari()
				? "Make the pool larger (%1$d or more; if it is Spring Boot's: spring.datasource.hikari.maximum-pool-size=%1$d or more), give the relay a pool of its own (outbox.relay.pool-size=%1$d), "
					.formatted(enough)
				: "Make the pool larger (%d or more), give the relay a DataSource of its own (@OutboxRelayDataSource), "
					.formatted(enough);
	}

	private boolean isHikari() {
		return ClassUtils.isPresent(HIKARI, PoolSizeCheck.class.getClassLoader()) && DataSourceUnwrapper
			.unwrap(this.database.dataSource(), HikariConfigMXBean.class, HikariDataSource.class) != null;
	}

	private void warn(int size, boolean isOfApplication) {
		int enough = this.workers + 1;
		String what = isOfApplication ? "business transactions wait for them. " + remedyOfApplication(enough)
				: "the tasks in the background wait for them. Make the pool of the relay larger (%sor more), "
					.formatted(this.isPoolOfProperty ? "outbox.relay.pool-size=%d ".formatted(enough) : enough + " ");
		logger.atWarn()
			.addKeyValue("size", size)
			.addKeyValue("workers", this.workers)
			.log("The relay has {} workers, each of which holds a connection while it works on a batch, but the connection pool has only {}: {}or lower outbox.relay.workers",
					this.workers, size, what);
	}

}
