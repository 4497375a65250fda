/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.function.Supplier;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.NotInParentContext;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.OutboxJdbcProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.TenantCheck;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.autoconfigure.relay.DeclaringAdmins;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.publish.AnnotatedPublicationPolicy;
import io.orderedoutbox.publish.OutboxEventBridge;
import io.orderedoutbox.publish.PublicationPolicy;
import io.orderedoutbox.publish.SeveralOutboxes;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.kafka.autoconfigure.DefaultKafkaProducerFactoryCustomizer;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for outboxes that have names,
 * besides the one without a name or in its place.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnNamedOutbox
@Import({ DatabaseInitializationDependencyConfigurer.class, NamedOutboxRegistrar.class })
public final class OutboxNamedAutoConfiguration {

	@Bean
	@Primary
	@NotInParentContext
	SeveralOutboxes orderedOutboxChoice(ObjectProvider<Outbox> outboxes, ObjectProvider<NamedOutbox> named,
			Environment environment) {
		return new SeveralOutboxes(Switch.OUTBOX.isOn(environment) ? standard(outboxes) : null,
				() -> named.orderedStream().toList());
	}

	private static Supplier<Outbox> standard(ObjectProvider<Outbox> outboxes) {
		return () -> outboxes.stream()
			.filter((outbox) -> !(outbox instanceof SeveralOutboxes))
			.findFirst()
			.orElseThrow();
	}

	// Otherwise that is done by the one that the outbox without a name has
	@Bean
	@NotInParentContext
	@ConditionalOnSwitch(Switch.ONLY_NAMED)
	OutboxEventBridge orderedOutboxNamedEventBridge(ObjectProvider<Outbox> outbox,
			ObjectProvider<PublicationPolicy> policy, ApplicationEventPublisher publisher) {
		return new OutboxEventBridge(outbox::getObject, () -> policy.getIfAvailable(AnnotatedPublicationPolicy::new),
				publisher);
	}

	// Also where all else is made when it is needed
	@Bean
	@Lazy(false)
	NamedOutboxCheck orderedOutboxNamedCheck(ObjectProvider<NamedOutbox> named, ObjectProvider<OutboxDatabase> database,
			ObjectProvider<OutboxJdbcProperties> jdbc, ObjectProvider<OutboxProperties> properties) {
		return new NamedOutboxCheck(named, database, jdbc, properties);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JsonMapper.class)
	static class JsonConfiguration {

		@Bean
		NamedOutboxCustomizer orderedOutboxNamedJson() {
			return (collaborators, properties) -> collaborators.share(JsonMapper.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ SessionFactoryImplementor.class, EntityManagerFactoryInfo.class })
	static class PersistenceConfiguration {

		// Not when the outbox is made: that may be with Hibernate, for a listener of an
		// entity
		@Bean
		@Lazy(false)
		SmartInitializingSingleton orderedOutboxNamedTenantCheck(ObjectProvider<NamedOutbox> named) {
			return () -> named.orderedStream()
				.filter(NamedOutbox::isEnabled)
				.forEach((outbox) -> outbox.check((collaborators) -> outbox.beans()
					.getBean(TenantCheck.class)
					.check(collaborators.shared(EntityManagerFactory.class))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RabbitAdmin.class, Channel.class })
	static class RabbitConfiguration {

		private static final String ADMINS = "orderedOutboxGivenAdmins";

		// An admin of another broker would declare there what this relay needs here
		@Bean
		NamedOutboxCustomizer orderedOutboxNamedRabbit() {
			return (collaborators, properties) -> {
				collaborators.share(LoggingSystem.class);
				ConnectionFactory chosen = collaborators.choose(ConnectionFactory.class, "connection-factory",
						properties.connectionFactory());
				if (chosen == null) {
					collaborators.share(ConnectionFactory.class);
					collaborators.give(ADMINS, new DeclaringAdmins(() -> collaborators.shared(AmqpAdmin.class)));
					return;
				}
				collaborators.give("orderedOutboxGivenConnectionFactory", chosen);
				collaborators.give(ADMINS, new DeclaringAdmins(
						() -> collaborators.all(AmqpAdmin.class).filter((admin) -> isOf(admin, chosen))));
			};
		}

		private static boolean isOf(AmqpAdmin admin, @Nullable ConnectionFactory connectionFactory) {
			return admin instanceof RabbitAdmin rabbit
					&& rabbit.getRabbitTemplate().getConnectionFactory() == connectionFactory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ KafkaTemplate.class, DefaultKafkaProducerFactoryCustomizer.class })
	static class KafkaConfiguration {

		@Bean
		NamedOutboxCustomizer orderedOutboxNamedKafka() {
			return (collaborators, properties) -> {
				collaborators.share(ProducerFactory.class);
				collaborators.shareAll(DefaultKafkaProducerFactoryCustomizer.class);
			};
		}

	}

}
