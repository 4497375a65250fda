/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.Objects;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitchOrBean;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.inbox.shard.ShardDeclaration;
import io.orderedoutbox.inbox.shard.ShardQueues;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for queues that share the partitions
 * of an outbox, which is here or elsewhere.
 */
@AutoConfiguration(afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
		"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration" })
@ConditionalOnClass({ RabbitTemplate.class, Channel.class })
@EnableConfigurationProperties(OutboxShardProperties.class)
public final class OutboxShardAutoConfiguration {

	@Bean
	@ConditionalOnSwitch(Switch.SHARDS)
	@ConditionalOnMissingBean(name = "shardQueues")
	ShardQueues shardQueues(OutboxShardProperties properties, Environment environment) {
		int count = Objects.requireNonNullElse(properties.count(), 1);
		int partitions = Binder.get(environment)
			.bind("outbox.partitions", Integer.class)
			.orElse(ShardQueues.DEFAULT_PARTITIONS);
		if (count > partitions) {
			throw new OutboxConfigurationException(
					"'outbox.rabbit.shards.count' is %d, but there are %d partitions: queues would be left over."
						.formatted(count, partitions),
					"Set outbox.rabbit.shards.count to %d or less. If the outbox that sends has more partitions, set outbox.partitions to their number here, too."
						.formatted(partitions));
		}
		return new ShardQueues(
				required("exchange",
						(properties.exchange() != null) ? properties.exchange()
								: environment.getProperty("outbox.rabbit.exchange")),
				required("name", properties.name()), count, partitions);
	}

	private static String required(String property, @Nullable String value) {
		if (!StringUtils.hasText(value)) {
			throw new OutboxConfigurationException(
					"There are shards, but no 'outbox.rabbit.shards.%s'.".formatted(property),
					"Set it, or remove outbox.rabbit.shards.count.");
		}
		return value;
	}

	@Bean
	@NotInParentContext
	@ConditionalOnSwitchOrBean(value = Switch.SHARDS, type = ShardQueues.class)
	ShardStart orderedOutboxShardDeclaration(ObjectProvider<ConnectionFactory> connectionFactory,
			ObjectProvider<ShardQueues> shards, OutboxShardProperties properties) {
		return new ShardStart(properties.declare(), connectionFactory::getObject,
				(template) -> shards.orderedStream().forEach((queues) -> new ShardDeclaration(queues).run(template)));
	}

}
