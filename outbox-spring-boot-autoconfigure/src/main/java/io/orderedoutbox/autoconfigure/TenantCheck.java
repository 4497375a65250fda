/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.jdbc.OutboxDatabase;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;

/**
 * Refuses a Hibernate that connects now to one database and now to another, under the
 * DataSource of the outbox: what {@link DataSourceChoice#fixed} refuses of a DataSource.
 */
public final class TenantCheck implements SmartInitializingSingleton {

	private final ObjectProvider<EntityManagerFactory> factories;

	private final OutboxDatabase database;

	private final OutboxJdbcProperties properties;

	TenantCheck(ObjectProvider<EntityManagerFactory> factories, OutboxDatabase database,
			OutboxJdbcProperties properties) {
		this.factories = factories;
		this.database = database;
		this.properties = properties;
	}

	@Override
	public void afterSingletonsInstantiated() {
		check(this.factories.stream(ObjectProvider.UNFILTERED));
	}

	/**
	 * Refuse one that connects to several databases.
	 * @param factories those that work with the outbox
	 */
	public void check(Stream<EntityManagerFactory> factories) {
		if (!this.properties.isAcceptRouting() && factories.anyMatch(this::isOfTenants)) {
			throw new OutboxConfigurationException(
					"Hibernate has a MultiTenantConnectionProvider, and connects to several databases in transactions of the outbox's DataSource. The relay would see one of them only, and what the others hold would never be sent.",
					"Mark the DataSource of one database with @OutboxDataSource, and publish in transactions of that one. If all tenants write to one and the same schema, which is that of the DataSource, set outbox.jdbc.accept-routing=true.");
		}
	}

	private boolean isOfTenants(EntityManagerFactory factory) {
		return factory instanceof EntityManagerFactoryInfo info && isOfOutbox(info.getDataSource())
				&& info.getNativeEntityManagerFactory() instanceof SessionFactoryImplementor hibernate
				&& hibernate.getServiceRegistry().getService(MultiTenantConnectionProvider.class) != null;
	}

	private boolean isOfOutbox(@Nullable DataSource dataSource) {
		return dataSource != null && this.database.isOn(dataSource);
	}

}
