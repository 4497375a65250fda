/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.autoconfigure.monitor.OutboxConsoleAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.admin.JdbcOutboxAdministration;
import io.orderedoutbox.monitor.console.Instances;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.OutboxEventBridge;
import io.orderedoutbox.publish.Payload;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.publish.PublicationPolicy;
import io.orderedoutbox.publish.Route;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.store.Backlog;
import io.orderedoutbox.store.BacklogReader;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.store.RelayStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the three auto-configurations: what they define, what makes them back off,
 * and that nothing else does because of them. Nothing connects and nothing starts.
 */
@Tag("unit")
class OutboxAutoConfigurationTests {

	private static final AutoConfigurations OURS = AutoConfigurations.of(OutboxAutoConfiguration.class,
			OutboxRabbitAutoConfiguration.class, OutboxRelayAutoConfiguration.class);

	private static final AutoConfigurations BOOTS = AutoConfigurations.of(AopAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class,
			JdbcClientAutoConfiguration.class, JdbcTemplateAutoConfiguration.class, LifecycleAutoConfiguration.class,
			RabbitAutoConfiguration.class, TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
			TransactionAutoConfiguration.class);

	private final ApplicationContextRunner boot = new ApplicationContextRunner().withConfiguration(BOOTS)
		.withBean("scheduled", Scheduled.class)
		.withBean("lifecycleProcessor", LifecycleProcessor.class, OutboxPropertiesTests.NothingStarts::new);

	private static final AutoConfigurations OPERATIONS = AutoConfigurations.of(OutboxMonitorAutoConfiguration.class,
			OutboxConsoleAutoConfiguration.class);

	private final ApplicationContextRunner runner = this.boot.withConfiguration(OURS);

	private final ApplicationContextRunner withDatabase = this.runner.withBean(DataSource.class,
			OutboxPropertiesTests.UnreachableDataSource::new);

	@Test
	void definesEverythingForAnApplicationThatDefinesNothing() {
		this.withDatabase.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(Stream.of(Outbox.class, OutboxEventBridge.class, PublicationPolicy.class,
					MessageNamingStrategy.class, MessageIdGenerator.class, PayloadSerializer.class,
					RoutingStrategy.class, OutboxDatabase.class, OutboxSchemaInitializer.class, OutboxStore.class,
					Partitioner.class, RelayStore.class, MessageSender.class, OutboxRelay.class,
					OutboxAdministration.class))
				.allSatisfy((type) -> assertThat(context).hasSingleBean(type));
		});
	}

	@Test
	void addsItsOwnBeansAndTakesNoneAway() {
		this.boot.withBean(DataSource.class, OutboxPropertiesTests.UnreachableDataSource::new).run((without) -> {
			Set<String> before = names(without);
			assertThat(before).contains("applicationTaskExecutor", "taskScheduler", "rabbitTemplate",
					"rabbitConnectionFactory", "jdbcTemplate", "jdbcClient", "transactionManager",
					"transactionTemplate", "amqpAdmin");
			this.withDatabase.run((context) -> {
				Set<String> after = names(context);
				assertThat(after).containsAll(before);
				after.removeAll(before);
				assertThat(after).allMatch((name) -> name.startsWith("orderedOutbox") || name.startsWith("outbox")
						|| name.startsWith("io.orderedoutbox.")
						|| name.startsWith("org.springframework.boot.sql.init.dependency."));
			});
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { ConnectionFactory.class, RabbitTemplate.class, RabbitOperations.class, DataSource.class,
			JdbcOperations.class, JdbcClient.class, PlatformTransactionManager.class, TransactionOperations.class })
	void whatTheApplicationInjectsIsStillUniqueAndItsOwn(Class<?> type) {
		this.withDatabase.run((context) -> {
			Object injected = context.getBeanProvider(type).getIfUnique();
			assertThat(injected).isNotNull();
			assertThat(context.getBeanNamesForType(type)).filteredOn((name) -> context.getBean(name) == injected)
				.noneMatch((name) -> name.startsWith("outbox") || name.startsWith("orderedOutbox"));
		});
	}

	@Test
	void hasAConnectionFactoryOfItsOwnWithSimpleConfirms() {
		this.withDatabase
			.withPropertyValues("spring.rabbitmq.publisher-confirm-type=correlated",
					"spring.rabbitmq.publisher-returns=true", "spring.rabbitmq.cache.connection.mode=connection",
					"spring.rabbitmq.username=somebody", "outbox.relay.workers=3")
			.run((context) -> {
				CachingConnectionFactory own = context.getBean("outboxRabbitConnectionFactory",
						CachingConnectionFactory.class);
				assertThat(own).isNotSameAs(context.getBean(ConnectionFactory.class));
				assertThat(own.isSimplePublisherConfirms()).isTrue();
				assertThat(own.isPublisherConfirms()).isFalse();
				assertThat(own.isPublisherReturns()).isFalse();
				assertThat(own.getCacheMode()).isEqualTo(CachingConnectionFactory.CacheMode.CHANNEL);
				assertThat(own.getChannelCacheSize()).isEqualTo(3);
				assertThat(own.getUsername()).isEqualTo("somebody");
				CachingConnectionFactory application = context.getBean(CachingConnectionFactory.class);
				assertThat(application.isPublisherConfirms()).isTrue();
				assertThat(application.isPublisherReturns()).isTrue();
			});
	}

	@Test
	void connectsToEveryAddressOfACluster() {
		this.withDatabase.withPropertyValues("spring.rabbitmq.addresses=one:5001,two:5002")
			.run((context) -> assertThat(
					context.getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class))
				.extracting("addresses")
				.asString()
				.contains("one:5001", "two:5002"));
	}

	@Test
	void followsAConnectionFactoryThatTheApplicationMadeItself() {
		this.withDatabase.withPropertyValues("spring.rabbitmq.addresses=elsewhere:5001")
			.withBean(CachingConnectionFactory.class, () -> new CachingConnectionFactory("here", 5002))
			.run((context) -> {
				CachingConnectionFactory own = context.getBean("outboxRabbitConnectionFactory",
						CachingConnectionFactory.class);
				assertThat(own.getHost()).isEqualTo("here");
				assertThat(own.getPort()).isEqualTo(5002);
				assertThat(own).extracting("addresses").isNull();
			});
	}

	@Test
	void leavesNothingWhenItIsNotEnabled() {
		this.withDatabase.withPropertyValues("outbox.enabled=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(names(context))
				.noneMatch((name) -> name.startsWith("outbox") || name.startsWith("orderedOutbox"));
			assertThat(context.getBeansOfType(Object.class).values())
				.noneMatch((bean) -> bean.getClass().getName().startsWith("io.orderedoutbox.publish")
						|| bean.getClass().getName().startsWith("io.orderedoutbox.store")
						|| bean.getClass().getName().startsWith("io.orderedoutbox.relay"));
		});
	}

	@Test
	void anInstanceThatOnlyWritesHasNoRelayAndNoConnection() {
		this.withDatabase.withPropertyValues("outbox.relay.mode=off").run((context) -> {
			assertThat(context).hasSingleBean(Outbox.class)
				.hasSingleBean(OutboxAdministration.class)
				.hasSingleBean(RoutingStrategy.class)
				.doesNotHaveBean(OutboxRelay.class)
				.doesNotHaveBean(RelayStore.class)
				.doesNotHaveBean(MessageSender.class)
				.doesNotHaveBean("outboxRabbitConnectionFactory")
				.doesNotHaveBean("outboxRabbitTemplate");
		});
	}

	@ParameterizedTest
	@FieldSource("REPLACEMENTS")
	void aBeanOfTheApplicationReplacesOurs(Replacement<?> replacement) {
		replacement.in(this.withDatabase.withConfiguration(OPERATIONS)).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(replacement.type());
			assertThat(context.getBean(replacement.type())).isSameAs(context.getBean("mine"));
		});
	}

	static final List<Replacement<?>> REPLACEMENTS = List.of(
			new Replacement<>(PublicationPolicy.class, () -> (event) -> false),
			new Replacement<>(MessageNamingStrategy.class, () -> (type) -> "same.for.all"),
			new Replacement<>(MessageIdGenerator.class, () -> UUID::randomUUID),
			new Replacement<>(PayloadSerializer.class, () -> (event) -> new Payload(new byte[0], "text/plain")),
			new Replacement<>(RoutingStrategy.class, () -> (publication) -> Route.to("exchange", publication.name())),
			new Replacement<>(Partitioner.class, () -> (key, partitions) -> 0),
			new Replacement<>(OutboxStore.class, () -> (messages) -> Set.of()),
			new Replacement<>(RelayStore.class, () -> () -> () -> null),
			new Replacement<>(MessageSender.class, () -> (work) -> {
			}), new Replacement<>(Outbox.class, () -> (event, stamps) -> UUID.randomUUID()),
			new Replacement<>(OutboxAdministration.class,
					() -> new JdbcOutboxAdministration(
							new OutboxDatabase(new OutboxPropertiesTests.UnreachableDataSource(), "mine_"), true,
							(partitions) -> {
							})),
			new Replacement<>(BacklogReader.class, () -> () -> new Backlog(0, Duration.ZERO, 0, 0, 0)),
			new Replacement<>(OperatorIdentity.class, () -> () -> "operator"),
			new Replacement<>(AuditTrail.class, () -> AuditTrail.NONE),
			new Replacement<>(RelayWorkers.class, () -> List::of), new Replacement<>(Instances.class, () -> List::of));

	@Test
	void aReplacedPartitionerDecidesToWhichPartitionAKeyBelongs() {
		this.withDatabase.withBean(Partitioner.class, () -> (key, partitions) -> partitions - key.length())
			.withPropertyValues("outbox.partitions=16")
			.run((context) -> assertThat(context.getBean(OutboxDatabase.class).partitions().of("four")).isEqualTo(12));
	}

	@Test
	void twoSendersAreNamedWithTheRemedy() {
		MessageSender sender = (work) -> {
		};
		this.withDatabase.withBean("toRabbit", MessageSender.class, () -> sender)
			.withBean("toNowhere", MessageSender.class, () -> sender)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(OutboxConfigurationException.class)
				.hasMessageContaining("toRabbit, toNowhere"));
	}

	@Test
	void ofTwoSendersThePrimaryOneIsTaken() {
		MessageSender sender = (work) -> {
		};
		this.withDatabase.withBean("toRabbit", MessageSender.class, () -> sender, (bean) -> bean.setPrimary(true))
			.withBean("toNowhere", MessageSender.class, () -> sender)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aReplacedSenderNeedsNoConnection() {
		this.withDatabase.withBean(MessageSender.class, () -> (work) -> {
		}).run((context) -> assertThat(context).doesNotHaveBean("outboxRabbitConnectionFactory"));
	}

	@Test
	void nobodyLooksForTablesThatNobodyUses() {
		this.withDatabase.withBean(OutboxStore.class, () -> (messages) -> Set.of())
			.withBean(RelayStore.class, () -> () -> () -> null)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OutboxRelay.class)
				.doesNotHaveBean(OutboxSchemaInitializer.class)
				.doesNotHaveBean(OutboxAdministration.class));
	}

	@ParameterizedTest
	@ValueSource(classes = { OutboxStore.class, RelayStore.class })
	void tablesThatSomebodyUsesCanBeSteered(Class<?> replaced) {
		REPLACEMENTS.stream()
			.filter((replacement) -> replacement.type() == replaced)
			.forEach((replacement) -> replacement.in(this.withDatabase)
				.run((context) -> assertThat(context).hasSingleBean(OutboxAdministration.class)));
	}

	@Test
	void worksWithoutRabbitMqOnAnInstanceThatOnlyWrites() {
		this.withDatabase.withPropertyValues("outbox.relay.mode=off")
			.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Outbox.class)
				.hasSingleBean(RoutingStrategy.class)
				.doesNotHaveBean(ConnectionFactory.class));
	}

	@Test
	void withoutRabbitMqTheRelaySaysThatItHasNothingToSendWith() {
		this.withDatabase.withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("spring-boot-starter-amqp")
				.hasMessageContaining("outbox.relay.mode=off"));
	}

	@Test
	void usesTheOnlyDataSource() {
		this.withDatabase.run((context) -> assertThat(context.getBean(OutboxDatabase.class).dataSource())
			.isSameAs(context.getBean(DataSource.class)));
	}

	@Test
	void usesThePrimaryDataSource() {
		this.runner.withUserConfiguration(PrimaryAndOther.class)
			.run((context) -> assertThat(context.getBean(OutboxDatabase.class).dataSource())
				.isSameAs(context.getBean("primary")));
	}

	@Test
	void usesTheMarkedDataSourceEvenBesideAPrimary() {
		this.runner.withUserConfiguration(PrimaryAndMarked.class)
			.run((context) -> assertThat(context.getBean(OutboxDatabase.class).dataSource())
				.isSameAs(context.getBean("marked")));
	}

	@Test
	void usesAMarkedDataSourceThatIsNoDefaultCandidate() {
		this.runner.withUserConfiguration(MarkedAside.class)
			.run((context) -> assertThat(context.getBean(OutboxDatabase.class).dataSource())
				.isSameAs(context.getBean("marked")));
	}

	private static Set<String> names(ApplicationContext context) {
		return new TreeSet<>(Arrays.asList(context.getBeanDefinitionNames()));
	}

	record Replacement<T>(Class<T> type, Supplier<T> mine) {

		ApplicationContextRunner in(ApplicationContextRunner runner) {
			return runner.withBean("mine", this.type, this.mine);
		}

		@Override
		public String toString() {
			return ClassUtils.getShortName(this.type);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduled {

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryAndOther {

		@Bean
		@Primary
		DataSource primary() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

		@Bean
		DataSource other() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryAndMarked {

		@Bean
		@Primary
		DataSource primary() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

		@Bean
		@OutboxDataSource
		DataSource marked() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedAside {

		@Bean
		DataSource ordinary() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

		@OutboxDataSource
		@Bean(defaultCandidate = false)
		DataSource marked() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

}
