/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.ecosystem.Application.Builder;
import io.orderedoutbox.servers.RequiresMySql;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application with WebFlux, R2DBC and reactive transactions, which the outbox cannot
 * join.
 */
@RequiresMySql
class ReactiveTests {

	@AutoClose
	private static Application application;

	@BeforeAll
	static void start() {
		application = reactive().withoutRelay().served().with(Blocking.class).start();
	}

	private static Builder reactive() {
		Builder builder = Application.with(Library.R2DBC);
		return builder.with("spring.r2dbc.url",
				builder.property("spring.datasource.url").replaceFirst("^jdbc:", "r2dbc:").replaceFirst("\\?.*", ""))
			.with("spring.r2dbc.username", builder.property("spring.datasource.username"))
			.with("spring.r2dbc.password", builder.property("spring.datasource.password"));
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
	}

	@Test
	void anApplicationWithR2dbcAloneDoesNotStartAndIsToldWhatToDeclare() {
		assertThatException().isThrownBy(() -> reactive().start().close())
			.satisfies((ex) -> assertThat(Throwables.getRootCause(ex))
				.asInstanceOf(InstanceOfAssertFactories.type(OutboxConfigurationException.class))
				.satisfies((cause) -> {
					assertThat(cause).hasMessageContaining("needs a DataSource, but there is none");
					assertThat(cause.getRemedy()).contains("R2DBC", "bean of type DataSource",
							"JdbcTransactionManager");
				}));
	}

	@Test
	void inAReactiveTransactionAnEventIsRefusedWithTheRemedy() {
		TransactionalOperator transaction = TransactionalOperator
			.create(application.bean(R2dbcTransactionManager.class));
		Mono<Void> work = Mono.fromRunnable(() -> application.outbox().publish(new OrderChanged("a", 1)));
		assertThatExceptionOfType(OutboxPublicationException.class)
			.isThrownBy(() -> transaction.transactional(work).block(Duration.ofSeconds(10)))
			.withMessageContaining("without a transaction")
			.withMessageContaining("reactive transaction")
			.withMessageContaining("JdbcTransactionManager");
		assertThat(application.stored()).isEmpty();
	}

	@Test
	void aReactiveHandlerStoresInATransactionOnAThreadThatMayWait() throws Exception {
		assertThat(HttpCalls.to(application).post("/orders", "{}").statusCode()).isEqualTo(200);
		assertThat(application.stored()).isEqualTo(List.of(new OrderChanged("web", 1).text()));
	}

	@Configuration(proxyBeanMethods = false)
	static class Blocking {

		// Beside a ConnectionFactory Spring Boot makes neither
		@Bean
		DataSource dataSource(Environment environment) {
			return DataSourceBuilder.create()
				.url(environment.getRequiredProperty("spring.datasource.url"))
				.username(environment.getRequiredProperty("spring.datasource.username"))
				.password(environment.getRequiredProperty("spring.datasource.password"))
				.build();
		}

		@Bean
		@Primary
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		RouterFunction<ServerResponse> orders(Outbox outbox, TransactionTemplate transaction) {
			return RouterFunctions.route()
				.POST("/orders",
						(request) -> Mono
							.fromRunnable(() -> transaction
								.executeWithoutResult((status) -> outbox.publish(new OrderChanged("web", 1))))
							.subscribeOn(Schedulers.boundedElastic())
							.then(ServerResponse.ok().build()))
				.build();
		}

	}

}
