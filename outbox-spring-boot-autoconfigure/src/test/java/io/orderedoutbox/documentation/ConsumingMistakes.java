/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Map;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.inbox.ProcessOnce;
import io.orderedoutbox.inbox.shard.ShardQueues;

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

	private static final String NEVER = "outbox.inbox.initialize-schema=never";

	static final List<Mistake> INBOX = List.of(Mistake.properties(ENABLED),
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
			}), Mistake.beans("has two transaction managers", TwoTransactionManagers.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` without an inbox", Listens.class),
			Mistake.beans("has `@ProcessOnce` with a name that cannot be one", Misnamed.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` where nothing listens", DoesNotListen.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a final method", Final.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` in a transaction apart", Apart.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a method that takes a batch", Batch.class, ENABLED, CREATED),
			Mistake.beans("has `@ProcessOnce` on a method that acknowledges", Acknowledges.class, ENABLED, CREATED),
			Mistake.beans("has two classes for one message name", Nothing.class,
					"outbox.inbox.type-packages=io.orderedoutbox.testing",
					"outbox.inbox.types[order.placed]=io.orderedoutbox.documentation.ConsumingMistakes$Other"));

	static final List<Mistake> SHARDS = List
		.of(new Mistake("has a queue of the same name with other arguments", (trial) -> {
			shards(trial, 4);
			trial.channel().queueDeclare(queues(trial, 4).names()[0], true, false, true, Map.of());
		}), new Mistake("has an exchange of the same name and of another type", (trial) -> {
			shards(trial, 4);
			trial.channel().exchangeDeclare(trial.name(), "topic", false, true, Map.of());
		}), new Mistake("changes `outbox.rabbit.shards.count` while messages wait", (trial) -> {
			shards(trial, 4);
			trial.afterStart();
			Channel channel = trial.channel();
			channel.confirmSelect();
			channel.basicPublish(trial.name(), "0", new BasicProperties(), new byte[0]);
			channel.waitForConfirmsOrDie();
			trial.with("outbox.rabbit.shards.count=6");
		}), new Mistake("has a listener of shards that acknowledges by itself", (trial) -> {
			shards(trial, 4);
			trial.application().with(OfShards.class);
			trial.with("spring.rabbitmq.listener.direct.acknowledge-mode=manual");
		}), new Mistake("has a listener of shards that takes batches", (trial) -> {
			shards(trial, 4);
			trial.application().with(BatchesOfShards.class);
		}));

	private ConsumingMistakes() {
	}

	private static ShardQueues queues(Trial trial, int count) {
		return ShardQueues.of(trial.name(), trial.name(), count);
	}

	private static void shards(Trial trial, int count) throws Exception {
		trial.with("outbox.rabbit.shards.count=" + count, "outbox.rabbit.shards.name=" + trial.name(),
				"outbox.rabbit.exchange=" + trial.name(), "outbox.rabbit.routing-key={partition}");
		Channel channel = trial.channel();
		trial.atEnd(() -> {
			for (ShardQueues queues : List.of(queues(trial, 4), queues(trial, 6))) {
				for (String queue : queues.names()) {
					channel.queueDelete(queue);
				}
				channel.queueDelete(queues.members());
				channel.queueDelete(queues.deadLetters());
			}
			channel.exchangeDelete(trial.name());
		});
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

	static class OfShards {

		@RabbitListener(id = "billing", queues = "#{shardQueues.names()}",
				containerFactory = "shardListenerContainerFactory")
		void on(String text) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

	static class BatchesOfShards {

		@RabbitListener(id = "billing", queues = "#{shardQueues.names()}",
				containerFactory = "shardListenerContainerFactory", batch = "true")
		void on(List<String> texts) {
			throw new IllegalStateException("Nobody calls it");
		}

	}

}
