/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import com.rabbitmq.client.Channel;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.inbox.ProcessOnce;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * Mistakes of consumers.
 */
final class ConsumingMistakes {

	private static final String ENABLED = "outbox.inbox.enabled=true";

	private static final String CREATED = "outbox.inbox.initialize-schema=always";

	private static final String WITHOUT_OUTBOX = "outbox.enabled=false";

	private static final String NEVER = "outbox.inbox.initialize-schema=never";

	static final List<Mistake> ALL = List.of(Mistake.properties(ENABLED),
			Mistake.beans("`outbox.inbox.enabled=true` on a database that is none of ours",
					DatabaseMistakes.AnotherDatabase.class, ENABLED, "outbox.enabled=false"),
			new Mistake("has a table of the inbox with another primary key", (trial) -> {
				trial.with(ENABLED, CREATED);
				trial.afterStart("ALTER TABLE inbox_message DROP PRIMARY KEY, ADD PRIMARY KEY (message_id)");
				trial.with(NEVER);
			}), new Mistake("has a table of the inbox without its index", (trial) -> {
				trial.with(ENABLED, CREATED);
				trial.afterStart("DROP INDEX inbox_message_age ON inbox_message");
				trial.with(NEVER);
			}),
			new Mistake("`%s` with a pool that only reads".formatted(CREATED),
					(trial) -> trial.with(CREATED, ENABLED, WITHOUT_OUTBOX, "spring.datasource.hikari.read-only=true")),
			new Mistake("`%s` while the database is away".formatted(CREATED),
					(trial) -> trial.with(CREATED, ENABLED, WITHOUT_OUTBOX,
							"spring.datasource.url=jdbc:mysql://127.0.0.1:1/shop")),
			Mistake.beans("`%s` with a `DataSource` that routes to several databases".formatted(ENABLED),
					DatabaseMistakes.Routing.class, ENABLED, WITHOUT_OUTBOX),
			Mistake.beans("has two transaction managers", TwoTransactionManagers.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` without an inbox", Listens.class),
			Mistake.beans("has `@ProcessOnce` with a name that cannot be one", Misnamed.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` where nothing listens", DoesNotListen.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a final method", Final.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` in a transaction apart", Apart.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a method that returns a `Future`", Later.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a method that takes a batch", Batch.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a method that acknowledges", Acknowledges.class, ENABLED, CREATED),
			Mistake.beans("has two classes for one message name", Nothing.class,
					"outbox.inbox.type-packages=io.orderedoutbox.testing",
					"outbox.inbox.types[order.placed]=io.orderedoutbox.documentation.ConsumingMistakes$Other"));

	private ConsumingMistakes() {
	}

	@Configuration(proxyBeanMethods = false)
	static class Nothing {

	}

	static class Other {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoTransactionManagers {

		@Bean
		PlatformTransactionManager ofTheShop() {
			return new JdbcTransactionManager(new HikariDataSource());
		}

		@Bean
		PlatformTransactionManager ofTheReports() {
			return new JdbcTransactionManager(new HikariDataSource());
		}

	}

	static class Listens {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Misnamed {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("the billing")
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class DoesNotListen {

		@ProcessOnce("billing")
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Final {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		final void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Apart {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Batch {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		void on(List<String> texts) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Acknowledges {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		void on(String text, Channel channel) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class Later {

		@RabbitListener(queues = "billing", autoStartup = "false")
		@ProcessOnce("billing")
		CompletableFuture<Void> on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

}
