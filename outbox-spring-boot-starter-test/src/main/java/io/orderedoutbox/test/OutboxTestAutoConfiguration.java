/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import javax.sql.DataSource;

import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.relay.OneShotRelayFactory;
import io.orderedoutbox.autoconfigure.relay.OutboxKafkaAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxListenerAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxSenderAutoConfiguration;
import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for tests with
 * {@link AutoConfigureOutboxTest}: what records messages, and what is in memory.
 */
@AutoConfiguration(after = { DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class },
		afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
		before = { OutboxAutoConfiguration.class, OutboxKafkaAutoConfiguration.class,
				OutboxListenerAutoConfiguration.class, OutboxRabbitAutoConfiguration.class,
				OutboxRelayAutoConfiguration.class, OutboxSenderAutoConfiguration.class,
				TransactionAutoConfiguration.class })
public final class OutboxTestAutoConfiguration {

	private static final String TRANSACTIONS = "orderedOutboxTransactionListener";

	@Bean
	MessageRecorder orderedOutboxTestRecorder() {
		return new MessageRecorder();
	}

	@Bean
	static OutboxTestPostProcessor orderedOutboxTestPostProcessor(ObjectProvider<MessageRecorder> recorder,
			@Qualifier(TRANSACTIONS) ObjectProvider<OutboxTransactionListener> transactions) {
		return new OutboxTestPostProcessor(recorder, transactions);
	}

	@Bean
	static PrimaryBeans orderedOutboxTestPrimaryBeans() {
		return new PrimaryBeans();
	}

	@Bean
	FailureRecorder orderedOutboxTestFailureRecorder(MessageRecorder recorder) {
		return new FailureRecorder(recorder);
	}

	@Bean
	PublishedMessages orderedOutboxTestPublishedMessages(MessageRecorder recorder,
			@Qualifier(TRANSACTIONS) ObjectProvider<OutboxTransactionListener> transactions,
			ObjectProvider<PayloadTransformers> transformers) {
		return PublishedMessages.all(new MessageLedger(recorder, transactions, transformers));
	}

	@Bean
	OutboxRelayDriver orderedOutboxTestRelayDriver(ObjectProvider<OneShotRelayFactory> relays,
			ObjectProvider<RelayStore> store, ObjectProvider<InMemoryOutbox> memory) {
		return new OutboxRelayDriver(relays, store, memory);
	}

	@Bean
	RecordingSenderDecorator orderedOutboxTestSenderDecorator(MessageRecorder recorder) {
		return new RecordingSenderDecorator(recorder);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = OutboxTestContextCustomizerFactory.STORE,
			havingValue = OutboxTestContextCustomizerFactory.IN_MEMORY)
	static class StoreConfiguration {

		@Bean
		InMemoryOutbox orderedOutboxTestMemory(ObjectProvider<OutboxProperties> properties) {
			return new InMemoryOutbox(properties.stream().anyMatch(OutboxProperties::ordered));
		}

		@Bean(PrimaryBeans.STORE)
		@Primary
		OutboxStore orderedOutboxTestStore(InMemoryOutbox memory) {
			return memory::append;
		}

		@Bean(PrimaryBeans.RELAY_STORE)
		@Primary
		RelayStore orderedOutboxTestRelayStore(InMemoryOutbox memory) {
			return () -> memory::claim;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = OutboxTestContextCustomizerFactory.STORE,
			havingValue = OutboxTestContextCustomizerFactory.IN_MEMORY)
	@ConditionalOnMissingBean(DataSource.class)
	static class TransactionConfiguration {

		// The outbox alone sees it: what needs a database is to notice that there is none
		@Bean(defaultCandidate = false)
		@OutboxDataSource
		TransactionsOnly orderedOutboxTestDataSource() {
			return new TransactionsOnly();
		}

		@Bean
		@ConditionalOnMissingBean(PlatformTransactionManager.class)
		DataSourceTransactionManager transactionManager(@OutboxDataSource DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		static InboxTables orderedOutboxTestInboxTables(ConfigurableEnvironment environment) {
			return new InboxTables(environment);
		}

		@Bean
		@ConditionalOnMissingBean(Inbox.class)
		InMemoryInbox orderedOutboxTestInbox(PlatformTransactionManager transactions) {
			return new InMemoryInbox(transactions);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = OutboxTestContextCustomizerFactory.SENDER,
			havingValue = OutboxTestContextCustomizerFactory.IN_MEMORY)
	static class SenderConfiguration {

		@Bean(PrimaryBeans.SENDER)
		@Primary
		InMemoryMessageSender orderedOutboxTestSender() {
			return new InMemoryMessageSender();
		}

	}

}
