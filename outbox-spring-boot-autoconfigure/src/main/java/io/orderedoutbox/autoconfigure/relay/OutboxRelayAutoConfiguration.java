/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import java.time.Duration;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.autoconfigure.OutboxProperties.Retry;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.claim.ClaimSettings;
import io.orderedoutbox.jdbc.claim.JdbcRelayStore;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.relay.RelaySettings;
import io.orderedoutbox.relay.RelaySignal;
import io.orderedoutbox.relay.batch.FailurePolicy;
import io.orderedoutbox.relay.batch.RetryPolicy;
import io.orderedoutbox.relay.batch.WorkerSettings;
import io.orderedoutbox.relay.payload.ReferredPayloads;
import io.orderedoutbox.relay.recovery.CrashRecovery;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the relay.
 */
@EachOutbox
@AutoConfiguration(after = { OutboxAutoConfiguration.class, OutboxRabbitAutoConfiguration.class })
@ConditionalOnSwitch(Switch.RELAY)
public final class OutboxRelayAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(RelayStore.class)
	@DependsOnDatabaseInitialization
	JdbcRelayStore orderedOutboxRelayStore(OutboxDatabase database, OutboxProperties properties) {
		Relay relay = properties.relay();
		ClaimSettings settings = new ClaimSettings(properties.ordered(), relay.batchSize(), relay.batchBytes(),
				relay.lockTimeout(), (relay.mode() == RelayMode.ONCE) ? Duration.ZERO : relay.pollInterval());
		return new JdbcRelayStore(database.background(), settings);
	}

	@Bean
	@ConditionalOnSwitch(Switch.CONTINUOUS_RELAY)
	@NotInParentContext
	OutboxRelay orderedOutboxRelay(RelayStore store, ObjectProvider<CrashRecovery> recovery,
			ObjectProvider<ReferredPayloads> payloads, ObjectProvider<MessageSender> sender,
			ObjectProvider<MessageSenderDecorator> decorators, RelaySignal signal, OutboxProperties properties,
			ObjectProvider<RelayListener> listeners, ListableBeanFactory beans) {
		Relay relay = properties.relay();
		return new OutboxRelay(loading(recovering(store, recovery), payloads), only(sender, decorators, beans), signal,
				new RelaySettings(true, relay.workers(), relay.stopTimeout(), worker(relay, properties.retry())),
				listeners.orderedStream().toList());
	}

	@Bean
	@NotInParentContext
	OneShotRelayFactory orderedOutboxOneShotRelayFactory(RelayStore store, OutboxProperties properties,
			ListableBeanFactory beans) {
		return new OneShotRelayFactory(store, properties, beans);
	}

	@Bean
	@NotInParentContext
	PoolSizeCheck orderedOutboxPoolSizeCheck(OutboxDatabase database,
			ObjectProvider<DataSourcePoolMetadataProvider> pools, OutboxProperties properties) {
		return new PoolSizeCheck(database, pools.orderedStream().toList(), properties.relay());
	}

	static RelayStore recovering(RelayStore store, ObjectProvider<CrashRecovery> recovery) {
		CrashRecovery known = recovery.getIfAvailable();
		return (known != null) ? known.around(store) : store;
	}

	// Behind the journal: a payload that ends the process while it is loaded is noted
	static RelayStore loading(RelayStore store, ObjectProvider<ReferredPayloads> payloads) {
		ReferredPayloads known = payloads.getIfAvailable();
		return (known != null) ? known.around(store) : store;
	}

	static MessageSender only(ObjectProvider<MessageSender> sender, ObjectProvider<MessageSenderDecorator> decorators,
			ListableBeanFactory beans) {
		MessageSender only = sender.getIfUnique();
		if (only == null) {
			String[] names = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, MessageSender.class);
			if (names.length > 0) {
				throw new OutboxConfigurationException(
						"The outbox relay sends with one MessageSender, but there are %d: %s.".formatted(names.length,
								String.join(", ", names)),
						"Mark the one that it is to send with as @Primary, or declare the others with @Bean(defaultCandidate = false).");
			}
			throw new OutboxConfigurationException("The outbox relay has nothing to send with.",
					"Add spring-boot-starter-amqp, declare a MessageSender bean, or set outbox.relay.mode=off on instances that only write. With outbox.sender=kafka, add spring-boot-starter-kafka.");
		}
		MessageSender decorated = only;
		for (MessageSenderDecorator decorator : decorators.orderedStream().toList()) {
			decorated = decorator.decorate(decorated);
		}
		return decorated;
	}

	// A worker that has lost its claim stops within the time of a batch
	private static Duration renewInterval(Relay relay) {
		Duration ofLocks = relay.lockTimeout().dividedBy(4);
		Duration ofBatch = relay.batchTime().dividedBy(2);
		return (ofLocks.compareTo(ofBatch) < 0) ? ofLocks : ofBatch;
	}

	static WorkerSettings worker(Relay relay, Retry retry) {
		RetryPolicy messages = new RetryPolicy(retry.initialInterval(), retry.multiplier(), retry.maxInterval(),
				retry.jitter());
		RetryPolicy outages = new RetryPolicy(Duration.ofMillis(100), 2, Duration.ofSeconds(1), 0.2);
		return new WorkerSettings(relay.pollInterval(), relay.batchTime(), relay.maxInFlight(), relay.pipelinedKeys(),
				relay.confirmTimeout(), renewInterval(relay),
				new FailurePolicy(messages, retry.maxAttempts(), retry.onExhausted()), outages);
	}

}
