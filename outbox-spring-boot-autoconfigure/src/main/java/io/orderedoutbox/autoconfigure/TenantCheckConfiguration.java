/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.OutboxDatabase;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;

/**
 * The {@link TenantCheck}, where there is Hibernate.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnClass({ SessionFactoryImplementor.class, EntityManagerFactoryInfo.class })
final class TenantCheckConfiguration {

	@Bean
	@NotInParentContext
	TenantCheck orderedOutboxTenantCheck(ObjectProvider<EntityManagerFactory> factories, OutboxDatabase database,
			OutboxJdbcProperties properties) {
		return new TenantCheck(factories, database, properties);
	}

}
