/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.p6spy.engine.common.StatementInformation;
import com.p6spy.engine.event.SimpleJdbcEventListener;
import com.p6spy.engine.spy.P6DataSource;
import com.p6spy.engine.spy.P6SpyDriver;
import com.p6spy.engine.wrapper.ConnectionWrapper;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.orderedoutbox.OutboxStoreException;
import io.orderedoutbox.ecosystem.Application.Builder;
import io.orderedoutbox.servers.Servers;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A {@link DataSource} of datasource-proxy or p6spy around the pool, or p6spy's driver
 * below it: what the outbox reads, writes and asks of a connection goes through it.
 */
@ParameterizedClass
@EnumSource
class ProxiedDataSourceTests {

	private static final Executor OWN_THREAD = (task) -> new Thread(task, "test-meanwhile").start();

	// What the proxy has seen
	private static final Set<String> STATEMENTS = ConcurrentHashMap.newKeySet();

	@AutoClose
	private static final Arrivals ARRIVALS = new Arrivals();

	private static Application application;

	private final Proxy proxy;

	ProxiedDataSourceTests(Proxy proxy) {
		this.proxy = proxy;
	}

	@BeforeParameterizedClassInvocation
	static void start(Proxy proxy) {
		STATEMENTS.clear();
		application = application(proxy).with("outbox.jdbc.verify-transaction", "true").start();
		application.jdbc().sql("CREATE TABLE note (id INT PRIMARY KEY, text VARCHAR(50))").update();
	}

	private static Builder application(Proxy proxy) {
		return proxy.drive(Application.with()).with("shop.proxy", proxy).sendingTo(ARRIVALS).with(Proxied.class);
	}

	@AfterParameterizedClassInvocation
	static void close() {
		application.close();
	}

	@BeforeEach
	void empty() {
		application.awaitEmpty();
		application.jdbc().sql("DELETE FROM note").update();
		ARRIVALS.clear();
	}

	@Test
	void whatIsPublishedArrivesInOrder() {
		assertThat(application.bean(DataSource.class)).isInstanceOf(this.proxy.type);
		for (int version = 1; version <= 20; version++) {
			application.publish(new OrderChanged("a", version), new OrderChanged("b", version));
		}
		ARRIVALS.await(40);
		application.awaitEmpty();
		for (String order : List.of("a", "b")) {
			assertThat(ARRIVALS.texts().stream().filter((text) -> text.contains("\"" + order + "\"")))
				.containsExactlyElementsOf(IntStream.rangeClosed(1, 20)
					.mapToObj((version) -> new OrderChanged(order, version).text())
					.toList());
		}
		assertThat(STATEMENTS).as("what the proxy has seen")
			.anyMatch((sql) -> sql.startsWith("INSERT INTO outbox_message"))
			.anyMatch((sql) -> sql.startsWith("DELETE") && sql.contains("outbox_message"));
	}

	@Test
	void aRollbackToASavepointTakesItsEventsWithIt() {
		TransactionTemplate nested = new TransactionTemplate(application.transaction().getTransactionManager());
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		application.transaction().executeWithoutResult((outer) -> {
			application.outbox().publish(new OrderChanged("s", 1));
			nested.executeWithoutResult((inner) -> {
				application.outbox().publish(new OrderChanged("s", 2));
				inner.setRollbackOnly();
			});
			application.outbox().publish(new OrderChanged("s", 3));
		});
		ARRIVALS.await(2);
		application.awaitEmpty();
		assertThat(ARRIVALS.texts()).containsExactly(new OrderChanged("s", 1).text(), new OrderChanged("s", 3).text());
	}

	@Test
	void theServersEndOfATransactionIsFoundBeforeTheCommit() {
		assertThatExceptionOfType(OutboxStoreException.class)
			.isThrownBy(() -> application.transaction().executeWithoutResult((status) -> {
				application.outbox().publish(new OrderChanged("e", 1));
				application.jdbc().sql("ROLLBACK").update();
			}));
		assertThat(application.stored()).isEmpty();
	}

	@Test
	void theVictimOfADeadlockIsFoundBeforeTheCommit() {
		Assumptions.assumeFalse(Servers.database().isPostgreSql(), "A transaction can do nothing after an error");
		application.jdbc().sql("INSERT INTO note VALUES (1, 'one'), (2, 'two')").update();
		CyclicBarrier bothHaveOne = new CyclicBarrier(2);
		CompletableFuture<Void> first = CompletableFuture.runAsync(() -> lock(1, 2, bothHaveOne), OWN_THREAD);
		CompletableFuture<Void> second = CompletableFuture.runAsync(() -> lock(2, 1, bothHaveOne), OWN_THREAD);
		List<Throwable> failures = Stream.of(first, second)
			.map((transaction) -> transaction.handle((nothing, failure) -> failure))
			.map(CompletableFuture::join)
			.filter((failure) -> failure != null)
			.toList();
		assertThat(failures).singleElement()
			.satisfies((failure) -> assertThat(failure).hasCauseInstanceOf(OutboxStoreException.class));
		ARRIVALS.await(1);
		application.awaitEmpty();
		assertThat(ARRIVALS.texts()).hasSize(1);
	}

	private static void lock(int note, int next, CyclicBarrier bothHaveOne) {
		application.transaction().executeWithoutResult((status) -> {
			application.outbox().publish(new OrderChanged("d" + note, note));
			application.jdbc().sql("UPDATE note SET text = 'locked' WHERE id = ?").param(note).update();
			try {
				bothHaveOne.await(10, TimeUnit.SECONDS);
				application.jdbc().sql("UPDATE note SET text = 'locked' WHERE id = ?").param(next).update();
			}
			catch (PessimisticLockingFailureException ex) {
				// What the application should not do
				assertThat(ex).hasMessageContaining("eadlock");
			}
			catch (Exception ex) {
				throw new IllegalStateException("The other transaction does not come", ex);
			}
		});
	}

	@Test
	void thePoolBehindItIsMeasured() {
		assertThat(application.bean(MeterRegistry.class).get("hikaricp.connections").gauge().value()).isPositive();
	}

	@Test
	void soItIsWithAPoolForTheRelayAndStatementsThatTheServerPrepares() throws SQLException {
		try (Application other = application(this.proxy).with("outbox.relay.pool-size", "5")
			.with("outbox.jdbc.prepare-on-server", "true")
			.start()) {
			IntStream.rangeClosed(1, 5).forEach((version) -> other.publish(new OrderChanged("p", version)));
			ARRIVALS.await(5);
			other.awaitEmpty();
			assertThat(ARRIVALS.texts()).containsExactlyElementsOf(
					IntStream.rangeClosed(1, 5).mapToObj((version) -> new OrderChanged("p", version).text()).toList());
			DataSource relay = other.context().getBean("orderedOutboxRelayDataSource", DataSource.class);
			try (Connection connection = relay.getConnection()) {
				assertThat(connection.isWrapperFor(ConnectionWrapper.class)).as("the copy of the pool has the driver")
					.isEqualTo(this.proxy == Proxy.P6SPY_DRIVER);
			}
		}
	}

	enum Proxy {

		DATASOURCE_PROXY(ProxyDataSource.class) {

			@Override
			DataSource around(DataSource dataSource) {
				return ProxyDataSourceBuilder.create(dataSource)
					.afterQuery((execution, queries) -> queries.forEach((query) -> STATEMENTS.add(query.getQuery())))
					.build();
			}

		},

		P6SPY(P6DataSource.class) {

			@Override
			DataSource around(DataSource dataSource) {
				P6DataSource proxy = new P6DataSource(dataSource);
				proxy.setJdbcEventListenerFactory(Listener::new);
				return proxy;
			}

		},

		P6SPY_DRIVER(HikariDataSource.class) {

			@Override
			Builder drive(Builder application) {
				P6SpyDriver.setJdbcEventListenerFactory(Listener::new);
				String url = application.property("spring.datasource.url");
				return application.with("spring.datasource.url", url.replaceFirst("jdbc:", "jdbc:p6spy:"))
					.with("spring.datasource.driver-class-name", P6SpyDriver.class.getName());
			}

			@Override
			DataSource around(DataSource dataSource) {
				return dataSource;
			}

		};

		private final Class<? extends DataSource> type;

		Proxy(Class<? extends DataSource> type) {
			this.type = type;
		}

		abstract DataSource around(DataSource dataSource);

		Builder drive(Builder application) {
			return application;
		}

	}

	private static final class Listener extends SimpleJdbcEventListener {

		@Override
		public void onBeforeAnyExecute(StatementInformation statement) {
			STATEMENTS.add(statement.getSql());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxied {

		@Bean
		static BeanPostProcessor proxyAroundThePool(Environment environment) {
			Proxy proxy = environment.getRequiredProperty("shop.proxy", Proxy.class);
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					return name.equals("dataSource") ? proxy.around((DataSource) bean) : bean;
				}

			};
		}

	}

}
