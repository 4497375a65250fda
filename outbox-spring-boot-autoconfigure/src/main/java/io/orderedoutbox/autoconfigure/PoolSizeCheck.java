package io.orderedoutbox.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.jdbc.OutboxDatabase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;

/**
 * Warns of a pool in which the workers of the relay leave no connection for anybody else:
 * each holds one while it works on a batch.
 */
final class PoolSizeCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(PoolSizeCheck.class);

	private final OutboxDatabase database;

	private final List<DataSourcePoolMetadataProvider> pools;

	private final int workers;

	PoolSizeCheck(OutboxDatabase database, List<DataSourcePoolMetadataProvider> pools, int workers) {
		this.database = database;
		this.pools = pools;
		this.workers = workers;
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

	private void warn(int size, boolean isOfApplication) {
		int enough = this.workers + 1;
		String what = isOfApplication
				? "business transactions wait for them. Make the pool larger "
						+ "(spring.datasource.hikari.maximum-pool-size=%1$d or more), ".formatted(enough)
						+ "give the relay a pool of its own (outbox.relay.pool-size=%1$d), ".formatted(enough)
				: "the tasks in the background wait for them. Make the pool of the relay larger "
						+ "(outbox.relay.pool-size=%1$d or more), ".formatted(enough);
		logger.atWarn()
			.addKeyValue("size", size)
			.addKeyValue("workers", this.workers)
			.log("The relay has {} workers, each of which holds a connection while it works on a batch, but the connection pool has only {}: {}or lower outbox.relay.workers",
					this.workers, size, what);
	}

}
