/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.Business;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.StoredRow;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * A transaction manager of JPA and one of JDBC on the same {@link DataSource}.
 */
class TwoManagersTests {

	@AutoClose
	private static OutboxApplication application;

	private Business business;

	@BeforeAll
	static void start() {
		application = OutboxApplication.on(Servers.database().fresh())
			.withJpa()
			.withoutRelay()
			.with(JpaAndJdbc.class)
			.start();
	}

	@BeforeEach
	void empty() {
		this.business = Business.in(application.jdbc());
	}

	@ParameterizedTest
	@ValueSource(classes = { JpaTransactionManager.class, JdbcTransactionManager.class })
	void theTransactionsOfEachAreFollowed(Class<? extends PlatformTransactionManager> manager) {
		in(manager, TransactionDefinition.PROPAGATION_REQUIRED, (status) -> place("a"));
		in(manager, TransactionDefinition.PROPAGATION_REQUIRED, (status) -> {
			place("lost");
			status.setRollbackOnly();
		});
		assertThat(this.business.notes()).containsExactly("a");
		assertThat(stored()).containsExactly("a");
	}

	// Spring lets the inner one take the connection of the outer one, and commit it
	@ParameterizedTest
	@ValueSource(ints = { TransactionDefinition.PROPAGATION_REQUIRED, TransactionDefinition.PROPAGATION_REQUIRES_NEW })
	void oneOfJdbcInsideOneOfJpaIsRefusedAndThatOfJpaGoesOn(int propagation) {
		in(JpaTransactionManager.class, TransactionDefinition.PROPAGATION_REQUIRED, (outer) -> {
			place("before");
			in(JdbcTransactionManager.class, propagation,
					(inner) -> assertThatExceptionOfType(OutboxPublicationException.class)
						.isThrownBy(() -> application.outbox().publish(new OrderPlaced("inside", 1)))
						.withMessageContaining("cannot join"));
			place("after");
		});
		assertThat(stored()).containsExactly("before", "after");
	}

	// Its failure leaves the outer one without its connection
	@Test
	void oneOfJpaInsideOneOfJdbcIsRefusedBySpringAndTakesThatOfJdbcWithIt() {
		assertThatIllegalStateException()
			.isThrownBy(() -> in(JdbcTransactionManager.class, TransactionDefinition.PROPAGATION_REQUIRED, (outer) -> {
				place("before");
				assertThatExceptionOfType(CannotCreateTransactionException.class)
					.isThrownBy(() -> in(JpaTransactionManager.class, TransactionDefinition.PROPAGATION_REQUIRED,
							(inner) -> place("inside")));
			}));
		in(JdbcTransactionManager.class, TransactionDefinition.PROPAGATION_REQUIRED, (status) -> place("next"));
		assertThat(this.business.notes()).containsExactly("next");
		assertThat(stored()).containsExactly("next");
	}

	private void place(String key) {
		this.business.write(key);
		application.outbox().publish(new OrderPlaced(key, 1));
	}

	private static List<String> stored() {
		return application.rows().stream().map(StoredRow::partitionKey).toList();
	}

	private static void in(Class<? extends PlatformTransactionManager> manager, int propagation,
			Consumer<TransactionStatus> work) {
		TransactionTemplate template = new TransactionTemplate(application.bean(manager));
		template.setPropagationBehavior(propagation);
		template.executeWithoutResult(work);
	}

	@Configuration(proxyBeanMethods = false)
	static class JpaAndJdbc {

		@Bean
		@Primary
		JpaTransactionManager transactionManager(EntityManagerFactory entities) {
			return new JpaTransactionManager(entities);
		}

		@Bean
		JdbcTransactionManager jdbcTransactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
