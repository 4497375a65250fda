/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import javax.sql.DataSource;

import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;

/**
 * Gives Hibernate connections of the same data source for every tenant.
 */
public final class TenantConnections extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String> {

	private static final long serialVersionUID = 1L;

	private final transient DataSource dataSource;

	public TenantConnections(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	@Override
	protected DataSource selectAnyDataSource() {
		return this.dataSource;
	}

	@Override
	protected DataSource selectDataSource(String tenant) {
		return this.dataSource;
	}

}
