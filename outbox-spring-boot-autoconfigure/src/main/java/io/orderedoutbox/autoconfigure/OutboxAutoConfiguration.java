/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.function.Supplier;

import javax.sql.DataSource;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.OperatorJournal;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.autoconfigure.OutboxProperties.Rabbit.Format;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.condition.OnJdbcStoreCondition;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.diagnostics.BoundProperties;
import io.orderedoutbox.autoconfigure.diagnostics.KnownProperties;
import io.orderedoutbox.autoconfigure.diagnostics.UnknownPropertyCheck;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.Partitions;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.JsonPayloadSerializer;
import io.orderedoutbox.publish.MessageFactory;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.OnlyOutbox;
import io.orderedoutbox.publish.OutboxEventBridge;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.publish.OutboxTransactions;
import io.orderedoutbox.publish.PartitionKeyAspect;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.publish.PayloadWriter;
import io.orderedoutbox.publish.PublicationPolicy;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.publish.TransactionalOutbox;
import io.orderedoutbox.rabbit.CloudEventRouting;
import io.orderedoutbox.relay.RelaySignal;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.Partitioner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for publishing to the outbox.
 */
@EachOutbox
@AutoConfiguration(after = DataSourceAutoConfiguration.class,
		afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnSwitch(Switch.OUTBOX)
@EnableConfigurationProperties({ OutboxProperties.class, OutboxJdbcProperties.class, OutboxSenderProperties.class })
@Import({ DatabaseInitializationDependencyConfigurer.class, PublicationConfiguration.class,
		TenantCheckConfiguration.class, DoublePublicationConfiguration.class, RelayPoolConfiguration.class })
@ImportRuntimeHints(OutboxRuntimeHints.class)
public final class OutboxAutoConfiguration {

	@Bean
	@NotInParentContext
	OutboxDatabase orderedOutboxDatabase(ObjectProvider<DataSource> dataSource,
			@OutboxDataSource ObjectProvider<DataSource> outboxDataSource,
			@OutboxRelayDataSource ObjectProvider<DataSource> relayDataSource, OutboxJdbcProperties properties,
			ObjectProvider<OutboxArchiveProperties> archive, OutboxProperties outbox, Partitioner partitioner) {
		OutboxDatabase database = new OutboxDatabase(
				DataSourceChoice.fixed(DataSourceChoice.of(dataSource, outboxDataSource), properties),
				properties.getTablePrefix(), archive.stream().anyMatch(OutboxArchiveProperties::enabled),
				new Partitions(outbox.partitions(), partitioner));
		DataSource ofRelay = DataSourceChoice.marked(relayDataSource, "@OutboxRelayDataSource");
		return (ofRelay != null) ? database.withBackground(DataSourceChoice.fixed(ofRelay, properties)) : database;
	}

	@Bean
	@NotInParentContext
	StartLog orderedOutboxStartLog(OutboxProperties properties) {
		return new StartLog(properties);
	}

	@Bean
	@NotInParentContext
	UnknownPropertyCheck orderedOutboxUnknownPropertyCheck(Environment environment, BeanFactory beans,
			ObjectProvider<OutboxIdentity> identity) {
		KnownProperties known = KnownProperties.read("outbox", OutboxAutoConfiguration.class.getClassLoader());
		return new UnknownPropertyCheck(environment,
				(identity.getIfAvailable() != null) ? known.ofNamedOutbox() : known, new BoundProperties(beans),
				OutboxIdentity.asWritten(identity));
	}

	@Bean
	@NotInParentContext
	@Conditional(OnJdbcStoreCondition.class)
	OutboxSchemaInitializer orderedOutboxSchemaInitializer(OutboxDatabase database, OutboxJdbcProperties properties) {
		return new OutboxSchemaInitializer(database, properties);
	}

	// They may be made by whatever runs while beans are created, such as spring.sql.init,
	// a migration tool or a bean of the application: this comes after all of it, and
	// before anything is relayed
	@Bean
	@ConditionalOnBean(value = OutboxSchemaInitializer.class, search = SearchStrategy.CURRENT)
	@DependsOnDatabaseInitialization
	SmartInitializingSingleton orderedOutboxSchemaCheck(OutboxSchemaInitializer initializer) {
		return initializer::check;
	}

	// The condition looks for other stores, so that this bean must come before our store
	@Bean
	@ConditionalOnMissingBean(OutboxAdministration.class)
	@Conditional(OnJdbcStoreCondition.class)
	@DependsOnDatabaseInitialization
	JdbcOutboxAdministration orderedOutboxAdministration(OutboxDatabase database, RelaySignal signal,
			OutboxProperties properties, ObjectProvider<OperatorJournal> journal) {
		return new JdbcOutboxAdministration(database, properties.ordered(), signal::committed,
				journal.getIfAvailable(() -> OperatorJournal.OF_NOBODY));
	}

	@Bean
	@ConditionalOnMissingBean(OutboxStore.class)
	@DependsOnDatabaseInitialization
	JdbcOutboxStore orderedOutboxStore(OutboxDatabase database, OutboxProperties properties, OutboxJdbcProperties jdbc,
			ObjectProvider<OutboxIdentity> identity) {
		return new JdbcOutboxStore(written(database, identity), properties.ordered(), jdbc.isPrepareOnServer(),
				jdbc.isVerifyTransaction());
	}

	// Not once more in a child context: it hands its events on to the parent, where they
	// would be stored again
	@Bean
	@NotInParentContext
	OutboxEventBridge orderedOutboxEventBridge(ObjectProvider<Outbox> outbox, ObjectProvider<PublicationPolicy> policy,
			ApplicationEventPublisher publisher) {
		return new OutboxEventBridge(outbox::getObject, policy::getObject, publisher);
	}

	@Bean
	@NotInParentContext
	RelaySignal orderedOutboxRelaySignal() {
		return new RelaySignal();
	}

	// Not a default candidate: Boot would add it to the managers that it makes, and make
	// it with them
	@Bean(defaultCandidate = false)
	@NotInParentContext
	OutboxTransactionListener orderedOutboxTransactionListener(OutboxDatabase database, OutboxStore store,
			RelaySignal signal, ObjectProvider<OutboxIdentity> identity) {
		OutboxIdentity known = identity.getIfAvailable();
		return new OutboxTransactionListener(written(database, identity).dataSource(), store, signal::committed,
				(known != null) ? known.transactions() : OutboxTransactions.ALL);
	}

	private static OutboxDatabase written(OutboxDatabase database, ObjectProvider<OutboxIdentity> identity) {
		OutboxIdentity known = identity.getIfAvailable();
		return (known != null) ? known.written(database) : database;
	}

	@Bean
	static OutboxTransactionListenerRegistrar orderedOutboxTransactionListenerRegistrar(
			ConfigurableListableBeanFactory beans) {
		return new OutboxTransactionListenerRegistrar.OfDefault(beans);
	}

	@Bean
	@ConditionalOnMissingBean
	Outbox orderedOutbox(@Qualifier("orderedOutboxTransactionListener") OutboxTransactionListener transactions,
			MessageNamingStrategy naming, RoutingStrategy routing, ObjectProvider<PayloadSerializer> serializer,
			ObjectProvider<PayloadTransformers> transformers, MessageIdGenerator ids, OutboxDatabase database,
			OutboxProperties properties, ObjectProvider<OutboxIdentity> identity) {
		PayloadWriter payloads = new PayloadWriter(serializer.getIfAvailable(() -> {
			throw noSerializer();
		}), transformers.getIfAvailable(() -> PayloadTransformers.NONE), properties.maxPayloadSize());
		MessageFactory messages = new MessageFactory(naming, routing(routing, properties), payloads, ids,
				database.partitions()::of);
		Outbox outbox = new TransactionalOutbox(transactions, messages, origin(properties, ids));
		boolean isNamed = identity.getIfAvailable() != null;
		return new PartitionKeyAspect(properties.ordered()).around(isNamed ? outbox : new OnlyOutbox(outbox));
	}

	private static OutboxConfigurationException noSerializer() {
		return new OutboxConfigurationException(
				"The outbox has nothing to write events with: there is no JsonMapper bean and no PayloadSerializer bean.",
				"Add spring-boot-starter-jackson to the dependencies, or declare a bean of one of these types.");
	}

	private static RoutingStrategy routing(RoutingStrategy routing, OutboxProperties properties) {
		return (properties.rabbit().format() == Format.CLOUDEVENTS)
				? new CloudEventRouting(routing, properties.rabbit().headers().partitionKey()) : routing;
	}

	private static Supplier<@Nullable Correlation> origin(OutboxProperties properties, MessageIdGenerator ids) {
		return properties.correlation().create() ? () -> new Correlation(ids.next().toString(), null) : () -> null;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	static class JsonConfiguration {

		@Bean
		@ConditionalOnMissingBean(PayloadSerializer.class)
		JsonPayloadSerializer orderedOutboxPayloadSerializer(ObjectProvider<JsonMapper> mapper) {
			return new JsonPayloadSerializer(mapper.getIfAvailable(() -> {
				throw noSerializer();
			}));
		}

	}

}
