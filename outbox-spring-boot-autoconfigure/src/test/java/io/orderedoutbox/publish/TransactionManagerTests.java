/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import io.orderedoutbox.transaction.LateTransactionListener;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transaction managers that the application brings, one or several: followed or refused.
 */
class TransactionManagerTests {

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		Database database = Servers.database().fresh();
		application = OutboxApplication.on(database).withoutRelay().with(TwoManagers.class).start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
		application.bean(Begun.class).names.clear();
	}

	@Test
	void managerOfTheApplicationWithAnImmutableListOfListenersIsFollowed() {
		ours((status) -> place("a"));
		assertThat(stored()).containsExactly("a");
		assertThat(application.bean(Begun.class).names).as("the application's own listener").hasSize(1);
	}

	@Test
	void listenerIsRegisteredOnce() {
		for (JdbcTransactionManager manager : application.context()
			.getBeansOfType(JdbcTransactionManager.class)
			.values()) {
			assertThat(manager.getTransactionExecutionListeners()).filteredOn(LateTransactionListener.class::isInstance)
				.hasSize(1);
		}
	}

	@Test
	void transactionThatWasNeverSeenToBeginIsRefused() {
		PlatformTransactionManager noBean = new JdbcTransactionManager(application.bean(DataSource.class));
		in(noBean, (status) -> {
			this.business.write("business goes on");
			assertRefused();
		});
		assertThat(stored()).isEmpty();
		assertThat(this.business.notes()).hasSize(1);
	}

	@Test
	void transactionThatJoinsOneNeverSeenToBeginIsRefused() {
		PlatformTransactionManager noBean = new JdbcTransactionManager(application.bean(DataSource.class));
		in(noBean, (outer) -> ours((inner) -> assertRefused()));
		assertThat(stored()).isEmpty();
	}

	@Test
	void newTransactionWithinOneNeverSeenToBeginIsFollowed() {
		PlatformTransactionManager noBean = new JdbcTransactionManager(application.bean(DataSource.class));
		in(noBean, (outer) -> {
			oursRequiresNew((inner) -> place("a"));
			assertRefused();
		});
		assertThat(stored()).containsExactly("a");
	}

	@Test
	void unseenTransactionWithinOursIsRefusedAndOursGoesOn() {
		PlatformTransactionManager noBean = new JdbcTransactionManager(application.bean(DataSource.class));
		ours((outer) -> {
			place("before");
			TransactionTemplate unseen = new TransactionTemplate(noBean);
			unseen.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
			unseen.executeWithoutResult((inner) -> assertRefused());
			place("after");
		});
		assertThat(stored()).containsExactly("before", "after");
	}

	@Test
	void transactionOnAnotherDataSourceIsRefused() {
		in(other(), (status) -> assertRefused());
		assertThat(stored()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void transactionOfAnotherDataSourceWithinOursIsRefusedAndOursGoesOn(boolean innerCommits) {
		ours((outer) -> {
			place("before");
			in(other(), (inner) -> {
				assertRefused();
				if (!innerCommits) {
					inner.setRollbackOnly();
				}
			});
			place("after");
		});
		assertThat(stored()).containsExactly("before", "after");
		assertThat(this.business.notes()).containsExactly("before", "after");
	}

	@Test
	void rollbackOfOursAroundAnotherDataSourceTakesTheEvents() {
		ours((outer) -> {
			place("before");
			in(other(), (inner) -> otherClient().sql("INSERT INTO note (text) VALUES ('other')").update());
			place("after");
			outer.setRollbackOnly();
		});
		assertThat(stored()).isEmpty();
		assertThat(this.business.notes()).containsExactly("other");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void oursWithinATransactionOfAnotherDataSourceStoresWithItsOwnCommit(boolean outerCommits) {
		in(other(), (outer) -> {
			assertRefused();
			ours((inner) -> place("inner"));
			assertThat(stored()).containsExactly("inner");
			ours((inner) -> {
				place("lost");
				inner.setRollbackOnly();
			});
			assertRefused();
			if (!outerCommits) {
				outer.setRollbackOnly();
			}
		});
		assertThat(stored()).containsExactly("inner");
		assertThat(this.business.notes()).containsExactly("inner");
	}

	@Test
	void oursJoinedThroughAnotherDataSourceIsRefusedInsteadOfForgotten() {
		ours((outer) -> {
			place("before");
			in(other(), (between) -> ours((joined) -> assertRefused()));
			place("after");
		});
		assertThat(stored()).containsExactly("before", "after");
	}

	@Test
	void oursNewThroughAnotherDataSourceIsIndependent() {
		ours((outer) -> {
			place("outer");
			in(other(), (between) -> oursRequiresNew((inner) -> place("inner")));
			outer.setRollbackOnly();
		});
		assertThat(stored()).containsExactly("inner");
	}

	@Test
	void distributedTransactionIsRefused() {
		in(new JtaTransactionManager(new UserTransactionOfNobody()), (status) -> assertRefused());
		assertThat(stored()).isEmpty();
	}

	@Test
	void managerWithoutSynchronizationIsRefused() {
		JdbcTransactionManager manager = new JdbcTransactionManager(application.bean(DataSource.class));
		manager.setTransactionExecutionListeners(List.of(application.bean(OutboxTransactionListener.class)));
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		in(manager, (status) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderPlaced("a", 1))));
		assertThat(stored()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(classes = { LazyConnections.class, TransactionAware.class })
	void dataSourceBehindAProxyIsFollowed(Class<?> proxy) {
		try (OutboxApplication proxied = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(proxy)
			.start()) {
			proxied.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			assertThat(proxied.rows()).hasSize(2);
			proxied.transaction().executeWithoutResult((status) -> {
				proxied.outbox().publish(new OrderPlaced("c", 1));
				status.setRollbackOnly();
			});
			assertThat(proxied.rows()).hasSize(2);
		}
	}

	private void place(String key) {
		this.business.write(key);
		application.outbox().publish(new OrderPlaced(key, 1));
	}

	private static void assertRefused() {
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderPlaced("refused", 1)))
			.withMessageContaining(OrderPlaced.class.getName())
			.withMessageContaining("cannot join")
			.withMessageContaining("transaction manager that is a bean");
	}

	private static List<String> stored() {
		return application.rows().stream().map(StoredRow::partitionKey).toList();
	}

	private static void ours(Consumer<TransactionStatus> work) {
		in(application.bean(PlatformTransactionManager.class), work);
	}

	private static void oursRequiresNew(Consumer<TransactionStatus> work) {
		TransactionTemplate template = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		template.executeWithoutResult(work);
	}

	private static PlatformTransactionManager other() {
		return application.context().getBean("otherTransactionManager", PlatformTransactionManager.class);
	}

	private static JdbcClient otherClient() {
		return JdbcClient.create(((JdbcTransactionManager) other()).getDataSource());
	}

	private static void in(PlatformTransactionManager manager, Consumer<TransactionStatus> work) {
		new TransactionTemplate(manager).executeWithoutResult(work);
	}

	static class TwoManagers {

		@Bean
		Begun begun() {
			return new Begun();
		}

		@Bean
		@Primary
		JdbcTransactionManager transactionManager(DataSource dataSource, Begun begun) {
			JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
			manager.setTransactionExecutionListeners(List.of(begun));
			return manager;
		}

		@Bean
		JdbcTransactionManager otherTransactionManager(Environment environment) {
			return new JdbcTransactionManager(
					new DriverManagerDataSource(environment.getRequiredProperty("spring.datasource.url"),
							environment.getRequiredProperty("spring.datasource.username"),
							environment.getRequiredProperty("spring.datasource.password")));
		}

	}

	static class Begun implements TransactionExecutionListener {

		private final List<String> names = new ArrayList<>();

		@Override
		public void afterBegin(TransactionExecution transaction, Throwable failure) {
			this.names.add(transaction.getTransactionName());
		}

	}

	static class LazyConnections {

		@Bean
		static BeanPostProcessor lazyConnections() {
			return wrapping((dataSource) -> new LazyConnectionDataSourceProxy(dataSource));
		}

		static BeanPostProcessor wrapping(UnaryOperator<DataSource> proxy) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof DataSource dataSource) ? proxy.apply(dataSource) : bean;
				}

			};
		}

	}

	static class TransactionAware {

		@Bean
		static BeanPostProcessor transactionAware() {
			return LazyConnections.wrapping((dataSource) -> new TransactionAwareDataSourceProxy(dataSource));
		}

	}

	/**
	 * As much of a JTA provider as is needed to open a transaction that has no connection
	 * of ours.
	 */
	static class UserTransactionOfNobody implements UserTransaction {

		private int status = Status.STATUS_NO_TRANSACTION;

		@Override
		public void begin() {
			this.status = Status.STATUS_ACTIVE;
		}

		@Override
		public void commit() {
			this.status = Status.STATUS_NO_TRANSACTION;
		}

		@Override
		public void rollback() {
			this.status = Status.STATUS_NO_TRANSACTION;
		}

		@Override
		public void setRollbackOnly() {
			this.status = Status.STATUS_MARKED_ROLLBACK;
		}

		@Override
		public int getStatus() {
			return this.status;
		}

		@Override
		public void setTransactionTimeout(int seconds) {
		}

	}

}
