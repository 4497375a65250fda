/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TenantConnections;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Table;
import org.hibernate.cfg.MultiTenancySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Listeners of entities that are given outboxes: Hibernate makes them together with its
 * factory.
 */
class EntityListenerTests {

	@Test
	void aListenerIsGivenAnOutboxWithAName() {
		try (OutboxApplication application = application().with(Eager.class).start()) {
			persist(application, new OfBilling());
			assertThat(depth(application)).isOne();
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLazyOneIsGivenAlsoWhereTheDatabaseIsInitializedAfterHibernate(boolean deferred) {
		try (OutboxApplication application = application().with(Late.class)
			.with("spring.jpa.defer-datasource-initialization", deferred)
			.start()) {
			persist(application, new OfBoth());
			assertThat(depth(application)).isOne();
			assertThat(application.depth()).isOne();
		}
	}

	@Test
	void tenantsOfHibernateAreRefusedForAnOutboxWithAName() {
		assertThatThrownBy(
				() -> application().with(Eager.class, Tenants.class).with("outbox.enabled", false).start().close())
			.hasStackTraceContaining(
					"The outbox 'billing' cannot be used. Hibernate has a MultiTenantConnectionProvider")
			.hasStackTraceContaining("outbox.named.billing.jdbc.accept-routing=true");
	}

	private static void persist(OutboxApplication application, Object entity) {
		application.transaction()
			.executeWithoutResult((status) -> SharedEntityManagerCreator
				.createSharedEntityManager(application.bean(EntityManagerFactory.class))
				.persist(entity));
	}

	private static long depth(OutboxApplication application) {
		return application.jdbc().sql("SELECT COUNT(*) FROM billing_message").query(Long.class).single();
	}

	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.withJpa()
			.withoutRelay()
			.with("spring.jpa.hibernate.ddl-auto", "create")
			.with("outbox.named.billing.ordered", true)
			.with("outbox.named.billing.relay.mode", "off")
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_");
	}

	@Entity
	@Table(name = "jpa_billed")
	@EntityListeners(OfBillingListener.class)
	static class OfBilling {

		@Id
		String id = "a";

	}

	static class OfBillingListener {

		private final Outbox billing;

		OfBillingListener(@Qualifier("billing") Outbox billing) {
			this.billing = billing;
		}

		@PostPersist
		void persisted(Object entity) {
			this.billing.publish(new OrderPlaced("a", 1));
		}

	}

	@Entity
	@Table(name = "jpa_ordered")
	@EntityListeners(OfBothListener.class)
	static class OfBoth {

		@Id
		String id = "a";

	}

	static class OfBothListener {

		private final Outbox outbox;

		private final Outbox billing;

		OfBothListener(@Lazy Outbox outbox, @Lazy @Qualifier("billing") Outbox billing) {
			this.outbox = outbox;
			this.billing = billing;
		}

		@PostPersist
		void persisted(Object entity) {
			this.outbox.publish(new OrderPlaced("a", 1));
			this.billing.publish(new OrderPlaced("a", 1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Eager {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(OfBilling.class.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		PersistenceManagedTypes types() {
			return PersistenceManagedTypes.of(OfBoth.class.getName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		HibernatePropertiesCustomizer tenants(DataSource dataSource) {
			return (properties) -> {
				properties.put(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER,
						new TenantConnections(dataSource));
				properties.put("hibernate.hbm2ddl.auto", "none");
			};
		}

	}

}
