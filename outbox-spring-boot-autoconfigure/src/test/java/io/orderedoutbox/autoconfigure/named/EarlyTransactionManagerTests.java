/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.testing.Latches;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.transaction.LateTransactionListener;
import jakarta.annotation.PostConstruct;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.beans.factory.config.Scope;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Transaction managers that are made at unusual times, or elsewhere: each is followed by
 * the outbox without a name, and by that with one.
 */
class EarlyTransactionManagerTests {

	private final Database database = Servers.database().fresh();

	@ParameterizedTest
	@ValueSource(classes = { OfAConfigurer.class, OfAnAdvisor.class, OfAPostProcessor.class, Late.class })
	void aManagerIsFollowedWheneverItIsMade(Class<?> manager) {
		try (OutboxApplication application = application().with(manager).start()) {
			application.publish(new OrderPlaced("a", 1), new Billed("a"));
			assertStored(1);
			assertEachListensOnce(application.bean(ConfigurableTransactionManager.class));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { OfAConfigurer.class, OfAnAdvisor.class })
	void aManagerThatIsMadeEarlyIsFollowedWhileTheApplicationStarts(Class<?> manager) {
		try (OutboxApplication application = application().with(manager, PublishesAtStart.class).start()) {
			assertStored(1);
			application.publish(new OrderPlaced("a", 2), new Billed("b"));
			assertStored(2);
		}
	}

	@Test
	void whatTheOutboxesAreMadeOfMayHaveTransactionsBeforeThem() {
		try (OutboxApplication application = application().with(PartitionerWithTransactions.class).start()) {
			application.publish(new OrderPlaced("a", 1), new Billed("a"));
			assertStored(1);
			assertEachListensOnce(application.bean(ConfigurableTransactionManager.class));
		}
	}

	@Test
	void eachManagerOfAScopeIsFollowedAndTheScopeNeedNotBeThereAtTheStart() {
		try (OutboxApplication application = application().with(OfAScope.class).start()) {
			ByTenant scope = application.bean(ByTenant.class);
			TransactionTemplate transaction = new TransactionTemplate(
					application.bean(PlatformTransactionManager.class));
			for (String tenant : List.of("one", "two", "one")) {
				scope.in(tenant, () -> transaction.executeWithoutResult((status) -> {
					application.context().publishEvent(new OrderPlaced(tenant, 1));
					application.context().publishEvent(new Billed(tenant));
				}));
			}
			assertStored(3);
			assertThat(scope.beans).hasSize(2)
				.allSatisfy((tenant, managers) -> managers.values()
					.forEach((manager) -> assertEachListensOnce((ConfigurableTransactionManager) manager)));
		}
	}

	@Test
	void aManagerOfAParentContextIsFollowedAsLongAsTheOutboxIsThere() {
		try (AnnotationConfigApplicationContext parent = parent()) {
			JdbcTransactionManager manager = parent.getBean(JdbcTransactionManager.class);
			for (int start = 1; start <= 2; start++) {
				try (OutboxApplication application = application().childOf(parent).start()) {
					publish(application.context(), manager);
					assertStored(start);
					assertEachListensOnce(manager);
				}
				assertThat(manager.getTransactionExecutionListeners()).isEmpty();
			}
		}
	}

	@Test
	void aTransactionThatHasBegunStoresWhatItHasPublishedThoughTheContextOfTheOutboxIsClosed() {
		try (AnnotationConfigApplicationContext parent = parent()) {
			JdbcTransactionManager manager = parent.getBean(JdbcTransactionManager.class);
			OutboxApplication application = application().childOf(parent).start();
			TransactionTemplate another = new TransactionTemplate(manager);
			another.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			new TransactionTemplate(manager).executeWithoutResult((status) -> {
				application.context().publishEvent(new OrderPlaced("a", 1));
				application.context().publishEvent(new Billed("a"));
				application.close();
				another.executeWithoutResult((inner) -> assertThat(inner.isNewTransaction()).isTrue());
				assertEachListensOnce(manager);
			});
			assertStored(1);
			assertThat(manager.getTransactionExecutionListeners()).isEmpty();
			manager.addListener(new TransactionExecutionListener() {
			});
		}
	}

	@Test
	void aTransactionOfAThreadThatTheOutboxWaitsForIsNotFollowedAndAnEventInItIsRefused() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.withoutRelay()
			.with(PartitionerBesideTransactions.class)
			.start()) {
			PartitionerBesideTransactions.Beside beside = application.bean(PartitionerBesideTransactions.Beside.class);
			assertThat(beside.refusal.join()).isInstanceOf(OutboxPublicationException.class)
				.hasMessageContaining("has begun before the outbox was made");
			application.publish(new OrderPlaced("a", 1));
			assertThat(application.depth()).isOne();
		}
	}

	@Test
	void aManagerOfAParentContextWithTheStarterIsFollowedOnce() {
		try (OutboxApplication parent = application().with(OfAConfigurer.class).start();
				OutboxApplication child = application().with("spring.datasource.url", "jdbc:unused")
					.childOf(parent.context())
					.start()) {
			JdbcTransactionManager manager = parent.bean(JdbcTransactionManager.class);
			publish(child.context(), manager);
			assertStored(1);
			assertEachListensOnce(manager);
		}
	}

	private AnnotationConfigApplicationContext parent() {
		AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
		parent.registerBean(DataSource.class, () -> new DriverManagerDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password()));
		parent.registerBean("transactionManager", JdbcTransactionManager.class,
				() -> new JdbcTransactionManager(parent.getBean(DataSource.class)));
		parent.refresh();
		return parent;
	}

	private Builder application() {
		return OutboxApplication.on(this.database)
			.withoutRelay()
			.with("outbox.named.billing.ordered", true)
			.with("outbox.named.billing.relay.mode", "off")
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_");
	}

	private static void publish(ConfigurableApplicationContext context, PlatformTransactionManager manager) {
		new TransactionTemplate(manager).executeWithoutResult((status) -> {
			context.publishEvent(new OrderPlaced("a", 1));
			context.publishEvent(new Billed("a"));
		});
	}

	private void assertStored(int messages) {
		JdbcClient jdbc = JdbcClient.create(new DriverManagerDataSource(this.database.jdbcUrl(),
				this.database.username(), this.database.password()));
		for (String prefix : List.of("outbox_", "billing_")) {
			assertThat(jdbc.sql("SELECT COUNT(*) FROM %smessage".formatted(prefix)).query(Integer.class).single())
				.as(prefix)
				.isEqualTo(messages);
		}
	}

	private static void assertEachListensOnce(ConfigurableTransactionManager manager) {
		assertThat(manager.getTransactionExecutionListeners()).doesNotHaveDuplicates()
			.filteredOn((listener) -> listener instanceof LateTransactionListener
					|| listener instanceof OutboxTransactionListener)
			.hasSize(2);
	}

	@OutboxMessage(value = "billed", outbox = "billing")
	record Billed(@PartitionKey String key) {

	}

	@Configuration
	static class OfAConfigurer implements TransactionManagementConfigurer {

		private final DataSource dataSource;

		OfAConfigurer(DataSource dataSource) {
			this.dataSource = dataSource;
		}

		@Bean
		JdbcTransactionManager transactionManager() {
			return new JdbcTransactionManager(this.dataSource);
		}

		@Override
		public PlatformTransactionManager annotationDrivenTransactionManager() {
			return transactionManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfAnAdvisor {

		@Bean
		static Advisor inTransactions(TransactionTemplate transaction) {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.setMappedName("noMethodOfThisName");
			MethodInterceptor advice = (call) -> transaction.execute((status) -> null);
			return new DefaultPointcutAdvisor(pointcut, advice);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfAPostProcessor {

		@Bean
		static BeanPostProcessor inTransactions(TransactionTemplate transaction) {
			return new First();
		}

		static class First implements BeanPostProcessor, PriorityOrdered {

			@Override
			public int getOrder() {
				return HIGHEST_PRECEDENCE;
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Late {

		@Bean
		@Lazy
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PublishesAtStart {

		@Bean
		AtStart atStart(TransactionTemplate transaction, Outbox outbox) {
			return new AtStart(transaction, outbox);
		}

		static class AtStart {

			private final TransactionTemplate transaction;

			private final Outbox outbox;

			AtStart(TransactionTemplate transaction, Outbox outbox) {
				this.transaction = transaction;
				this.outbox = outbox;
			}

			@PostConstruct
			void publish() {
				this.transaction.executeWithoutResult((status) -> {
					this.outbox.publish(new OrderPlaced("a", 1));
					this.outbox.publish(new Billed("a"));
				});
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PartitionerWithTransactions {

		@Bean
		Partitioner partitioner(TransactionTemplate transaction) {
			transaction.executeWithoutResult((status) -> assertThat(status.isNewTransaction()).isTrue());
			return (key, partitions) -> Math.floorMod(key.hashCode(), partitions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PartitionerBesideTransactions {

		@Bean
		Beside beside() {
			return new Beside();
		}

		// With the first transaction the outbox is made
		@Bean
		Object first(TransactionTemplate transaction) {
			transaction.executeWithoutResult((status) -> assertThat(status.isNewTransaction()).isTrue());
			return new Object();
		}

		// The outbox asks for it when it is made
		@Bean
		@Lazy
		Partitioner partitioner(Beside beside, TransactionTemplate transaction, ApplicationContext context) {
			CountDownLatch begun = new CountDownLatch(1);
			new Thread(() -> transaction.executeWithoutResult((status) -> {
				begun.countDown();
				beside.refusal.complete(catchThrowable(() -> context.publishEvent(new OrderPlaced("beside", 1))));
			})).start();
			Latches.await(begun);
			return (key, partitions) -> Math.floorMod(key.hashCode(), partitions);
		}

		static class Beside {

			private final CompletableFuture<@Nullable Throwable> refusal = new CompletableFuture<>();

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OfAScope {

		@Bean
		static ByTenant byTenant() {
			return new ByTenant();
		}

		@Bean
		static CustomScopeConfigurer scopes(ByTenant byTenant) {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("tenant", byTenant);
			return scopes;
		}

		@Bean
		@Primary
		@org.springframework.context.annotation.Scope(value = "tenant", proxyMode = ScopedProxyMode.INTERFACES)
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	static class ByTenant implements Scope {

		private final Map<String, Map<String, Object>> beans = new ConcurrentHashMap<>();

		private String tenant = "";

		void in(String tenant, Runnable work) {
			this.tenant = tenant;
			try {
				work.run();
			}
			finally {
				this.tenant = "";
			}
		}

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			assertThat(this.tenant).as("the tenant of " + name).isNotEmpty();
			return this.beans.computeIfAbsent(this.tenant, (key) -> new ConcurrentHashMap<>())
				.computeIfAbsent(name, (key) -> factory.getObject());
		}

		@Override
		public Object remove(String name) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void registerDestructionCallback(String name, Runnable callback) {
		}

	}

}
