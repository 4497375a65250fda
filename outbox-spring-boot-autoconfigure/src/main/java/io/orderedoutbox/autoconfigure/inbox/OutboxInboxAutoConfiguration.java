/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.inbox;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.micrometer.core.instrument.MeterRegistry;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.VerbResult;
import io.orderedoutbox.autoconfigure.DataSourceChoice;
import io.orderedoutbox.autoconfigure.EmbeddedH2;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxDataSource;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.inbox.DeliveryScope;
import io.orderedoutbox.inbox.Inbox;
import io.orderedoutbox.inbox.InboxCheck;
import io.orderedoutbox.inbox.InboxListener;
import io.orderedoutbox.inbox.InboxPurge;
import io.orderedoutbox.inbox.InboxRetention;
import io.orderedoutbox.inbox.InboxSchema;
import io.orderedoutbox.inbox.JdbcInbox;
import io.orderedoutbox.inbox.ProcessOncePostProcessor;
import io.orderedoutbox.inbox.listener.DeadLetterReplay;
import io.orderedoutbox.inbox.listener.DeadLetterSequences;
import io.orderedoutbox.inbox.listener.DeadLetterVerbs;
import io.orderedoutbox.inbox.listener.ShardListenerContainerFactory;
import io.orderedoutbox.jdbc.OutboxDatabase;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.amqp.autoconfigure.DirectRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.support.ChainedPersistenceExceptionTranslator;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the inbox, which works with and
 * without an outbox.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		afterName = { "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.rabbitmq.autoconfigure.RabbitAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass({ AbstractRabbitListenerContainerFactory.class, JdbcTemplate.class })
@EnableConfigurationProperties(OutboxInboxProperties.class)
public final class OutboxInboxAutoConfiguration {

	// Also without an inbox: then it refuses beans that want one
	@Bean
	static ProcessOncePostProcessor orderedInboxPostProcessor(Environment environment, ObjectProvider<Inbox> inbox,
			ObjectProvider<OutboxInboxProperties> properties, ObjectProvider<InboxListener> listeners) {
		return new ProcessOncePostProcessor(() -> Switch.INBOX.mayBeOn(environment), inbox::getObject,
				() -> properties.getObject().withoutId(), () -> listeners.orderedStream().toList());
	}

	@Bean
	static BeanPostProcessor orderedInboxDeliveryPostProcessor() {
		return new ListenerAdvice(DeliveryScope::new);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DirectRabbitListenerContainerFactoryConfigurer.class)
	@EnableConfigurationProperties(OutboxShardProperties.class)
	static class ShardConfiguration {

		private static final String THREADS = "outbox-shard-";

		// How long a queue stands still after its consumer was lost
		private static final long MONITOR_MILLIS = 1_000;

		@Bean
		@ConditionalOnBean(DirectRabbitListenerContainerFactoryConfigurer.class)
		@ConditionalOnSingleCandidate(ConnectionFactory.class)
		@ConditionalOnMissingBean(name = "shardListenerContainerFactory")
		ShardListenerContainerFactory shardListenerContainerFactory(
				DirectRabbitListenerContainerFactoryConfigurer configurer, ConnectionFactory connectionFactory,
				OutboxShardProperties properties, ObjectProvider<DeadLetterSequences> sequences,
				Environment environment) {
			ThreadFactory threads = Threading.VIRTUAL.isActive(environment)
					? new VirtualThreadTaskExecutor(THREADS).getVirtualThreadFactory()
					: new CustomizableThreadFactory(THREADS);
			ShardListenerContainerFactory factory = new ShardListenerContainerFactory(properties.listener(threads),
					properties.retry().hasSequences() ? checked(sequences.getIfAvailable()) : null);
			factory.setMonitorInterval(MONITOR_MILLIS);
			factory.setFailedDeclarationRetryInterval(MONITOR_MILLIS);
			configurer.configure(factory, connectionFactory);
			return factory;
		}

		private static DeadLetterSequences checked(@Nullable DeadLetterSequences sequences) {
			if (sequences == null) {
				throw new OutboxConfigurationException(
						"outbox.rabbit.shards.retry.on-exhausted is dead-letter-sequence, but there is no inbox, whose database knows which dead letters there are.",
						"Set outbox.inbox.enabled=true, or on-exhausted=dead-letter, with which messages pass the dead letters of their key.");
			}
			sequences.check();
			return sequences;
		}

		@Bean
		@ConditionalOnSingleCandidate(ConnectionFactory.class)
		@NotInParentContext
		DeadLetterReplay orderedInboxDeadLetterReplay(ConnectionFactory connectionFactory,
				ObjectProvider<ShardListenerContainerFactory> listeners) {
			return new DeadLetterReplay(connectionFactory, () -> listeners.orderedStream().toList());
		}

		@Bean
		@ConditionalOnSingleCandidate(ConnectionFactory.class)
		@NotInParentContext
		DeadLetterVerbs orderedInboxDeadLetterVerbs(DeadLetterReplay replay, ObjectProvider<OperatorJournal> journal) {
			OperatorJournal outbox = journal.getIfUnique();
			return new DeadLetterVerbs(replay, (verb, about, result, error) -> {
				// Only an outbox has an audit trail
				if (outbox != null) {
					outbox.record(verb, about, new VerbResult(result.replayed(), result.knownLeft(), List.of()), error);
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnSwitch(Switch.INBOX)
	static class InboxConfiguration {

		private final Supplier<DataSource> dataSource;

		InboxConfiguration(ObjectProvider<DataSource> dataSource,
				@OutboxDataSource ObjectProvider<DataSource> outboxDataSource, Environment environment) {
			this.dataSource = () -> DataSourceChoice.ofInbox(dataSource, outboxDataSource, environment);
		}

		@Bean
		@NotInParentContext
		InboxSchemaInitializer orderedInboxSchemaInitializer(OutboxInboxProperties properties) {
			DataSource chosen = this.dataSource.get();
			boolean isCreating = switch (properties.initializeSchema()) {
				case ALWAYS -> true;
				case EMBEDDED -> EmbeddedH2.holds(database(chosen));
				case NEVER -> false;
			};
			try {
				return new InboxSchemaInitializer(chosen, isCreating ? schema(chosen, properties) : null);
			}
			catch (DataAccessResourceFailureException ex) {
				throw InboxSchemaInitializer.notCreated(ex);
			}
		}

		private static InboxSchema schema(DataSource dataSource, OutboxInboxProperties properties) {
			return new InboxSchema(database(dataSource).dialect().platform(), properties.table(),
					properties.deadLetterTable());
		}

		private static OutboxDatabase database(DataSource dataSource) {
			return new OutboxDatabase(dataSource, "inbox_");
		}

		@Bean
		@NotInParentContext
		@DependsOnDatabaseInitialization
		InboxCheck orderedInboxSchemaCheck(OutboxInboxProperties properties) {
			DataSource chosen = this.dataSource.get();
			return new InboxCheck(chosen, properties.table(), () -> schema(chosen, properties));
		}

		@Bean
		@NotInParentContext
		@DependsOnDatabaseInitialization
		DeadLetterSequences orderedInboxDeadLetterSequences(OutboxInboxProperties properties) {
			return new DeadLetterSequences(this.dataSource.get(), properties.deadLetterTable());
		}

		@Bean
		@ConditionalOnMissingBean(Inbox.class)
		@DependsOnDatabaseInitialization
		JdbcInbox orderedInbox(ObjectProvider<PlatformTransactionManager> transactions,
				OutboxInboxProperties properties, ObjectProvider<PersistenceExceptionTranslator> translators) {
			PlatformTransactionManager only = transactions.getIfUnique();
			if (only == null) {
				throw new OutboxConfigurationException("The inbox found no single transaction manager.",
						"Declare one for the DataSource of the inbox, or mark it as @Primary if there are several.");
			}
			return new JdbcInbox(this.dataSource.get(), only, properties.table(),
					(failure) -> translated(failure, translators));
		}

		// When it is needed: the translators are made with the persistence provider
		private static @Nullable DataAccessException translated(RuntimeException failure,
				ObjectProvider<PersistenceExceptionTranslator> translators) {
			ChainedPersistenceExceptionTranslator all = new ChainedPersistenceExceptionTranslator();
			translators.orderedStream().forEach(all::addDelegate);
			return all.translateExceptionIfPossible(failure);
		}

		@Bean
		@NotInParentContext
		@DependsOnDatabaseInitialization
		InboxPurge orderedInboxPurge(OutboxInboxProperties properties) {
			InboxRetention retention = new InboxRetention(this.dataSource.get(), properties.table(),
					properties.retention());
			return new InboxPurge(retention, properties.purgeInterval());
		}

		@Configuration(proxyBeanMethods = false)
		@ConditionalOnClass(MeterRegistry.class)
		static class MetricsConfiguration {

			@Bean
			InboxListener orderedInboxMetrics(ObjectProvider<MeterRegistry> registry) {
				return (consumer, outcome) -> registry.ifUnique(
						(meters) -> meters
							.counter("outbox.inbox.messages", "consumer", consumer, "outcome",
									outcome.name().toLowerCase(Locale.ROOT))
							.increment());
			}

		}

	}

}
