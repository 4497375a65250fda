/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.monitor;

import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxAutoConfiguration;
import io.orderedoutbox.autoconfigure.condition.ConditionalOnSwitch;
import io.orderedoutbox.autoconfigure.condition.Switch;
import io.orderedoutbox.observation.ObservedMessageSender;
import io.orderedoutbox.observation.ObservedOutbox;
import io.orderedoutbox.observation.PublishObservationConvention;
import io.orderedoutbox.observation.RelayObservationConvention;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.SeveralOutboxes;
import io.orderedoutbox.send.MessageSenderDecorator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.lang.Contract;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for observations of what is
 * published and relayed.
 */
@EachOutbox
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSwitch(Switch.OUTBOX)
@ConditionalOnBean({ ObservationRegistry.class, Outbox.class })
public final class OutboxObservationAutoConfiguration {

	@Bean
	static ObservationPostProcessor orderedOutboxObservationPostProcessor(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<MessageNamingStrategy> naming, ObjectProvider<PublishObservationConvention> publish) {
		return new ObservationPostProcessor(registry, naming, publish);
	}

	@Bean
	MessageSenderDecorator orderedOutboxObservedMessageSender(ObjectProvider<ObservationRegistry> registries,
			ObjectProvider<RelayObservationConvention> convention) {
		return (sender) -> {
			ObservationRegistry registry = registries.getIfUnique();
			return isObserving(registry) ? new ObservedMessageSender(sender, registry, convention.getIfUnique())
					: sender;
		};
	}

	@Contract("null -> false")
	private static boolean isObserving(@Nullable ObservationRegistry registry) {
		return registry != null && registry != ObservationRegistry.NOOP;
	}

	/**
	 * Observes the outbox, one of the application's own included. Where there is no
	 * registry, nothing stands before it.
	 */
	static final class ObservationPostProcessor implements BeanPostProcessor {

		private final ObjectProvider<ObservationRegistry> registry;

		private final ObjectProvider<MessageNamingStrategy> naming;

		private final ObjectProvider<PublishObservationConvention> publish;

		ObservationPostProcessor(ObjectProvider<ObservationRegistry> registry,
				ObjectProvider<MessageNamingStrategy> naming, ObjectProvider<PublishObservationConvention> publish) {
			this.registry = registry;
			this.naming = naming;
			this.publish = publish;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			// Those that are handed to others observe by themselves
			if (!(bean instanceof Outbox outbox) || bean instanceof SeveralOutboxes || bean instanceof ObservedOutbox) {
				return bean;
			}
			ObservationRegistry registry = this.registry.getIfUnique();
			return isObserving(registry)
					? new ObservedOutbox(outbox, registry, this.naming.getObject(), this.publish.getIfUnique()) : bean;
		}

	}

}
