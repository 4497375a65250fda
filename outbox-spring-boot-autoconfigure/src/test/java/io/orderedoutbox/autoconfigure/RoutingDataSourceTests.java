/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TenantConnections;
import io.orderedoutbox.testing.TestQueue;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A DataSource that routes is refused, however it is wrapped, unless the application says
 * that whatever writes has one target.
 */
class RoutingDataSourceTests {

	private static final String REFUSAL = "routes to several databases";

	@ParameterizedTest
	@ValueSource(
			classes = { Plain.class, Delegating.class, Lazy.class, TransactionAware.class, ProxiedByInterface.class,
					ProxiedByClass.class, ScopedProxy.class, Nested.class, Marked.class, OfTheRelay.class })
	void itIsRefused(Class<?> configuration) {
		assertThatThrownBy(() -> application().with(configuration).start().close()).hasStackTraceContaining(REFUSAL)
			.hasStackTraceContaining("@OutboxDataSource")
			.hasStackTraceContaining("outbox.jdbc.accept-routing=true");
	}

	@ParameterizedTest
	@ValueSource(classes = { Plain.class, Delegating.class, Lazy.class, TransactionAware.class,
			ProxiedByInterface.class, ProxiedByClass.class, ScopedProxy.class, Nested.class, Marked.class })
	void soItIsForAnInboxWithoutAnOutbox(Class<?> configuration) {
		assertThatThrownBy(() -> inbox().with(configuration).start().close()).hasStackTraceContaining(REFUSAL)
			.hasStackTraceContaining("The DataSource of the inbox")
			.hasStackTraceContaining("@OutboxDataSource")
			.hasStackTraceContaining("outbox.jdbc.accept-routing=true");
	}

	@ParameterizedTest
	@ValueSource(classes = { ReplicasOfSpring.class, SilentAboutWrapping.class })
	void anInboxTakesWhatDoesNotRouteWhatWrites(Class<?> configuration) {
		try (OutboxApplication application = inbox().with(configuration).start()) {
			processesOnce(application);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.jdbc.accept-routing", "outbox.jdbc.acceptRouting" })
	void anInboxWithReplicasForReadingWorksWhenItIsAccepted(String property) {
		try (OutboxApplication application = inbox().with(ReplicasByRouting.class).with(property, "true").start()) {
			processesOnce(application);
		}
	}

	private static void processesOnce(OutboxApplication application) {
		AtomicInteger calls = new AtomicInteger();
		for (int delivery = 0; delivery < 2; delivery++) {
			application.bean(Inbox.class).process("billing", "m1", calls::incrementAndGet);
		}
		assertThat(calls).hasValue(1);
	}

	private static Builder inbox() {
		return application().withInboxAlone();
	}

	@Test
	void soIsHibernateThatConnectsByTenant() {
		assertThatThrownBy(() -> withJpa().with(TenantsByProperty.class).start().close())
			.hasStackTraceContaining("MultiTenantConnectionProvider")
			.hasStackTraceContaining("@OutboxDataSource")
			.hasStackTraceContaining("outbox.jdbc.accept-routing=true");
	}

	@Test
	void soIsHibernateThatIsMadeLater() {
		assertThatThrownBy(() -> withJpa().with("spring.main.lazy-initialization", "true")
			.with(TenantsByProperty.class)
			.start()
			.close()).hasStackTraceContaining("MultiTenantConnectionProvider");
	}

	@Test
	void hibernateThatConnectsByTenantWorksWhenItIsAccepted() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = withJpa().sendingTo(queue)
					.with(TenantsByProperty.class)
					.with("outbox.jdbc.accept-routing", "true")
					.start()) {
			relays(application, queue);
		}
	}

	@Test
	void hibernateThatTellsTenantsApartByAColumnIsTaken() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = withJpa().sendingTo(queue).with(TenantsByColumn.class).start()) {
			relays(application, queue);
		}
	}

	@Test
	void whereThereIsNoHibernateNothingIsAsked() {
		try (OutboxApplication application = application().withoutRelay()
			.hiding("org.hibernate", "jakarta.persistence", "org.springframework.orm")
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.depth()).isOne();
			assertThat(application.context().containsBean("orderedOutboxTenantCheck")).isFalse();
		}
	}

	@Test
	void hibernateOnAnotherDataSourceMayConnectByTenant() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = withJpa().sendingTo(queue)
					.with(TenantsByProperty.class, BesideTheOutbox.class)
					.start()) {
			new TransactionTemplate(application.context().getBean("ofTheOutbox", PlatformTransactionManager.class))
				.executeWithoutResult((status) -> application.outbox().publish(new OrderPlaced("a", 1)));
			queue.await(1);
		}
	}

	@Test
	void aTargetOfItsOwnIsTheWayOut() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(OneTarget.class).start()) {
			new TransactionTemplate(
					application.context().getBean("targetTransactions", PlatformTransactionManager.class))
				.executeWithoutResult((status) -> application.outbox().publish(new OrderPlaced("a", 1)));
			queue.await(1);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { ReplicasByRouting.class, ReplicasByRoutingBehindLazyConnections.class })
	void withReplicasForReadingItWorksWhenItIsAccepted(Class<?> configuration) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue)
					.with(configuration)
					.with("outbox.jdbc.accept-routing", "true")
					.start()) {
			relays(application, queue);
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { ReplicasOfSpring.class, SilentAboutWrapping.class })
	void whatDoesNotRouteWhatWritesIsTaken(Class<?> configuration) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(configuration).start()) {
			relays(application, queue);
		}
	}

	private static void relays(OutboxApplication application, TestQueue queue) {
		TransactionTemplate reading = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		reading.setReadOnly(true);
		for (int version = 1; version < 4; version++) {
			application.publish(new OrderPlaced("a", version));
			reading.executeWithoutResult(
					(status) -> assertThat(application.jdbc().sql("SELECT 7").query(Integer.class).single())
						.isEqualTo(7));
		}
		queue.await(3);
		application.awaitEmpty();
	}

	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh());
	}

	private static Builder withJpa() {
		return application().withJpa().with("spring.jpa.open-in-view", "false");
	}

	private static DataSource target(Environment environment) {
		return DataSourceBuilder.create()
			.url(environment.getRequiredProperty("spring.datasource.url"))
			.username(environment.getRequiredProperty("spring.datasource.username"))
			.password(environment.getRequiredProperty("spring.datasource.password"))
			.build();
	}

	private static AbstractRoutingDataSource routing(Environment environment) {
		AbstractRoutingDataSource routing = new ByTenant();
		routing.setTargetDataSources(Map.of("one", target(environment)));
		routing.setDefaultTargetDataSource(target(environment));
		routing.afterPropertiesSet();
		return routing;
	}

	static class ByTenant extends AbstractRoutingDataSource {

		@Override
		protected @Nullable Object determineCurrentLookupKey() {
			return null;
		}

	}

	static class ByReadOnly extends AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			return TransactionSynchronizationManager.isCurrentTransactionReadOnly() ? "replica" : "writer";
		}

	}

	static final class OneTenant implements CurrentTenantIdentifierResolver<String> {

		@Override
		public String resolveCurrentTenantIdentifier() {
			return "one";
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return false;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TenantsByProperty {

		@Bean
		HibernatePropertiesCustomizer tenants(DataSource dataSource) {
			return (properties) -> properties
				.putAll(Map.of(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER, new TenantConnections(dataSource),
						MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new OneTenant()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TenantsByColumn {

		@Bean
		HibernatePropertiesCustomizer tenants() {
			return (properties) -> properties.put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER,
					new OneTenant());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BesideTheOutbox {

		@Bean
		@Primary
		DataSource dataSource(Environment environment) {
			return target(environment);
		}

		@Bean(defaultCandidate = false)
		@OutboxDataSource
		DataSource outboxes(Environment environment) {
			return target(environment);
		}

		@Bean(defaultCandidate = false)
		TransactionManager ofTheOutbox(@OutboxDataSource DataSource outboxes) {
			return new JdbcTransactionManager(outboxes);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Plain {

		@Bean
		ByTenant dataSource(Environment environment) {
			return (ByTenant) routing(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Delegating {

		@Bean
		DataSource dataSource(Environment environment) {
			return new DelegatingDataSource(routing(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazy {

		@Bean
		DataSource dataSource(Environment environment) {
			return new LazyConnectionDataSourceProxy(routing(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TransactionAware {

		@Bean
		DataSource dataSource(Environment environment) {
			return new TransactionAwareDataSourceProxy(routing(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Nested {

		@Bean
		DataSource dataSource(Environment environment) {
			return new TransactionAwareDataSourceProxy(
					new LazyConnectionDataSourceProxy(new DelegatingDataSource(routing(environment))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByInterface {

		@Bean
		DataSource dataSource(Environment environment) {
			ProxyFactory proxy = new ProxyFactory(DataSource.class,
					(org.aopalliance.intercept.MethodInterceptor) (invocation) -> invocation.proceed());
			proxy.setTarget(routing(environment));
			return (DataSource) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByClass {

		@Bean
		DataSource dataSource(Environment environment) {
			ProxyFactory proxy = new ProxyFactory(new DelegatingDataSource(routing(environment)));
			proxy.setProxyTargetClass(true);
			return (DataSource) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ScopedProxy {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.INTERFACES)
		DataSource dataSource(Environment environment) {
			return routing(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Marked {

		@Bean
		@Primary
		DataSource dataSource(Environment environment) {
			return target(environment);
		}

		@Bean
		@OutboxDataSource
		DataSource marked(Environment environment) {
			return routing(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfTheRelay {

		@Bean
		@Primary
		DataSource dataSource(Environment environment) {
			return target(environment);
		}

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		DataSource ofTheRelay(Environment environment) {
			return routing(environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneTarget {

		@Bean
		@Primary
		DataSource dataSource(Environment environment) {
			return routing(environment);
		}

		@Bean
		@OutboxDataSource
		DataSource oneTarget(Environment environment) {
			return target(environment);
		}

		@Bean
		TransactionManager targetTransactions(@OutboxDataSource DataSource oneTarget) {
			return new JdbcTransactionManager(oneTarget);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplicasByRouting {

		@Bean
		DataSource dataSource(Environment environment) {
			ByReadOnly routing = new ByReadOnly();
			routing.setTargetDataSources(Map.of("writer", target(environment), "replica", target(environment)));
			routing.afterPropertiesSet();
			return routing;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplicasByRoutingBehindLazyConnections {

		@Bean
		DataSource dataSource(Environment environment) {
			return new LazyConnectionDataSourceProxy(new ReplicasByRouting().dataSource(environment));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReplicasOfSpring {

		@Bean
		DataSource dataSource(Environment environment) {
			LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(target(environment));
			lazy.setReadOnlyDataSource(target(environment));
			return lazy;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SilentAboutWrapping {

		@Bean
		DataSource dataSource(Environment environment) {
			return new DelegatingDataSource(target(environment)) {
				@Override
				public boolean isWrapperFor(Class<?> type) throws SQLException {
					throw new SQLException("not supported");
				}
			};
		}

	}

}
