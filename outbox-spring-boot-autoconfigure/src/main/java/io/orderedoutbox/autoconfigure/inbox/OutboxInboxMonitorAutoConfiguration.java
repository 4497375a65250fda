/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.rabbitmq.client.Channel;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitchOrBean;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.monitor.EffectiveConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorProperties;
import io.orderedoutbox.autoconfigure.relay.ConnectionLog;
import io.orderedoutbox.inbox.InboxCounts;
import io.orderedoutbox.inbox.InboxPurge;
import io.orderedoutbox.inbox.listener.DeadLetterVerbs;
import io.orderedoutbox.inbox.listener.SequenceSampler;
import io.orderedoutbox.inbox.listener.ShardDeliveries;
import io.orderedoutbox.inbox.listener.ShardListenerContainerFactory;
import io.orderedoutbox.inbox.listener.ShardRetries;
import io.orderedoutbox.inbox.monitor.ConsumerDescriptor;
import io.orderedoutbox.inbox.monitor.DeadLetterConsole;
import io.orderedoutbox.inbox.monitor.DeadLetterDescriptor;
import io.orderedoutbox.inbox.monitor.InboxConsole;
import io.orderedoutbox.inbox.monitor.InboxDescriptor;
import io.orderedoutbox.inbox.monitor.InboxHealthIndicator;
import io.orderedoutbox.inbox.monitor.InboxMeters;
import io.orderedoutbox.inbox.monitor.ShardConsole;
import io.orderedoutbox.inbox.monitor.ShardDescriptor;
import io.orderedoutbox.inbox.monitor.VerbDescriptor;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.inbox.shard.ShardReader;
import io.orderedoutbox.inbox.shard.ShardSampler;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for what operators see of the inbox
 * and of queues that share the partitions, with and without an outbox.
 */
@RegisterReflectionForBinding({ ConsumerDescriptor.class, DeadLetterDescriptor.class, InboxDescriptor.class,
		ShardDescriptor.class, VerbDescriptor.class, OutboxInboxProperties.class, OutboxShardProperties.class })
@AutoConfiguration(after = { OutboxInboxAutoConfiguration.class, OutboxShardAutoConfiguration.class },
		afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration" })
@ConditionalOnClass({ RabbitTemplate.class, Channel.class, AbstractRabbitListenerContainerFactory.class })
@ConditionalOnSwitchOrBean(value = Switch.CONSUMER, type = ShardQueues.class)
@EnableConfigurationProperties({ OutboxInboxProperties.class, OutboxShardProperties.class,
		OutboxMonitorProperties.class })
public final class OutboxInboxMonitorAutoConfiguration {

	@Bean
	@NotInParentContext
	InboxCounts orderedInboxCounts() {
		return new InboxCounts();
	}

	// The queues are known when the first message comes
	@Bean
	@NotInParentContext
	ShardDeliveries orderedInboxShardDeliveries(ObjectProvider<ShardQueues> shards) {
		return new ShardDeliveries(() -> Set.copyOf(names(shards)));
	}

	@Bean
	static BeanPostProcessor orderedInboxShardDeliveryPostProcessor(ObjectProvider<ShardDeliveries> deliveries) {
		return new ListenerAdvice(deliveries::getObject);
	}

	// What the sampler cannot connect to is unknown
	@Bean
	@NotInParentContext
	ShardSampler orderedInboxShardSampler(ObjectProvider<ShardQueues> shards,
			ObjectProvider<ConnectionFactory> connectionFactory, ObjectProvider<LoggingSystem> logging,
			OutboxMonitorProperties monitor) {
		if (!(connectionFactory.getIfUnique() instanceof AbstractConnectionFactory application)) {
			return new ShardSampler(new ShardReader(names(shards), List.of(), new RabbitTemplate()), Duration.ZERO,
					() -> {
					});
		}
		CachingConnectionFactory own = ShardConnection.of(application, "outbox-shards-sample");
		own.getRabbitConnectionFactory().setChannelRpcTimeout(ShardConnection.PATIENCE);
		logging.ifAvailable(ConnectionLog::quiet);
		List<String> deadLetters = shards.orderedStream().map(ShardQueues::deadLetters).distinct().toList();
		return new ShardSampler(new ShardReader(names(shards), deadLetters, new RabbitTemplate(own)),
				monitor.sampleInterval(), own::destroy);
	}

	@Bean
	@NotInParentContext
	SequenceSampler orderedInboxSequenceSampler(ObjectProvider<ShardQueues> shards,
			ObjectProvider<ShardListenerContainerFactory> listeners, OutboxMonitorProperties monitor) {
		return new SequenceSampler(shards.orderedStream().toList(), () -> listeners.orderedStream().toList(),
				monitor.sampleInterval());
	}

	private static List<String> names(ObjectProvider<ShardQueues> shards) {
		return shards.orderedStream().flatMap((queues) -> Stream.of(queues.names())).distinct().toList();
	}

	@Bean
	@NotInParentContext
	DeadLetterConsole orderedInboxDeadLetterConsole(ObjectProvider<ShardQueues> shards, ShardSampler depths,
			SequenceSampler sequences, ObjectProvider<DeadLetterVerbs> verbs) {
		return new DeadLetterConsole(shards.orderedStream().toList(), depths, sequences, verbs.getIfAvailable());
	}

	@Bean
	@NotInParentContext
	InboxConsole orderedInboxConsole(InboxCounts counts, ShardSampler sampler, ShardDeliveries deliveries,
			ObjectProvider<ShardRetries> retries, DeadLetterConsole deadLetters, ObjectProvider<InboxPurge> purge,
			OutboxInboxProperties inbox, OutboxShardProperties shards) {
		return new InboxConsole(counts, new ShardConsole(sampler, deliveries, () -> retries.orderedStream().toList()),
				deadLetters, purge.getIfAvailable(), EffectiveConfiguration.of(inbox, shards));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static class MetricsConfiguration {

		@Bean
		@NotInParentContext
		InboxMeters orderedInboxMeters(InboxConsole console) {
			return new InboxMeters(console);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	@ConditionalOnEnabledHealthIndicator("inbox")
	static class HealthConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = { "inboxHealthIndicator", "inboxHealthContributor" })
		InboxHealthIndicator inboxHealthIndicator(InboxConsole console, OutboxInboxProperties properties) {
			return new InboxHealthIndicator(console, properties.healthThreshold());
		}

	}

}
