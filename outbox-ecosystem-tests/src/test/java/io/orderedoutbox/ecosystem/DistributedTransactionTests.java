/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import javax.sql.DataSource;

import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import io.orderedoutbox.OutboxPublicationException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.jta.JtaTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application whose transactions are those of JTA, with Narayana.
 */
class DistributedTransactionTests {

	@AutoClose
	private static final Arrivals ARRIVALS = new Arrivals();

	@AutoClose
	private static Application application;

	@BeforeAll
	static void start() {
		// Nothing on disk
		arjPropertyManager.getObjectStoreEnvironmentBean().setObjectStoreType(VolatileStore.class.getName());
		application = Application.with().sendingTo(ARRIVALS).with(Jta.class).start();
	}

	@BeforeEach
	void empty() {
		ARRIVALS.clear();
	}

	@Test
	void inADistributedTransactionAnEventIsRefusedWithTheRemedy() {
		distributed().executeWithoutResult((status) -> assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> application.outbox().publish(new OrderChanged("a", 1)))
			.withMessageContaining("cannot join")
			.withMessageContaining("JdbcTransactionManager or JpaTransactionManager, not JTA"));
		assertThat(application.stored()).isEmpty();
	}

	@Test
	void aTransactionOfTheDataSourceBesideItIsFollowed() {
		local().executeWithoutResult((status) -> application.outbox().publish(new OrderChanged("b", 1)));
		assertThat(ARRIVALS.await(1).get(0).text()).isEqualTo(new OrderChanged("b", 1).text());
	}

	@Test
	void aTransactionOfTheDataSourceInsideItHasAFateOfItsOwn() {
		distributed().executeWithoutResult((outer) -> {
			local().executeWithoutResult((inner) -> application.outbox().publish(new OrderChanged("c", 1)));
			outer.setRollbackOnly();
		});
		assertThat(ARRIVALS.await(1).get(0).text()).isEqualTo(new OrderChanged("c", 1).text());
	}

	private static TransactionTemplate distributed() {
		return new TransactionTemplate(application.bean(JtaTransactionManager.class));
	}

	private static TransactionTemplate local() {
		return new TransactionTemplate(application.bean(JdbcTransactionManager.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Jta {

		@Bean
		@Primary
		JtaTransactionManager transactionManager() {
			return new JtaTransactionManager(com.arjuna.ats.jta.UserTransaction.userTransaction(),
					com.arjuna.ats.jta.TransactionManager.transactionManager());
		}

		@Bean
		JdbcTransactionManager jdbcTransactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
