package io.orderedoutbox.autoconfigure;

import io.micrometer.observation.ObservationRegistry;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.observation.ObservedMessageSender;
import io.orderedoutbox.observation.ObservedOutbox;
import io.orderedoutbox.observation.PublishObservationConvention;
import io.orderedoutbox.observation.RelayObservationConvention;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.relay.MessageSender;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for observations of what is
 * published and relayed.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ ObservationRegistry.class, Outbox.class })
public final class OutboxObservationAutoConfiguration {

	@Bean
	static ObservationPostProcessor outboxObservationPostProcessor(ObjectProvider<ObservationRegistry> registry,
			ObjectProvider<MessageNamingStrategy> naming, ObjectProvider<PublishObservationConvention> publish,
			ObjectProvider<RelayObservationConvention> relay) {
		return new ObservationPostProcessor(registry, naming, publish, relay);
	}

	/**
	 * Observes the outbox and the sender, those of the application included. Where there
	 * is no registry, nothing stands before either.
	 */
	static final class ObservationPostProcessor implements BeanPostProcessor {

		private final ObjectProvider<ObservationRegistry> registry;

		private final ObjectProvider<MessageNamingStrategy> naming;

		private final ObjectProvider<PublishObservationConvention> publish;

		private final ObjectProvider<RelayObservationConvention> relay;

		ObservationPostProcessor(ObjectProvider<ObservationRegistry> registry,
				ObjectProvider<MessageNamingStrategy> naming, ObjectProvider<PublishObservationConvention> publish,
				ObjectProvider<RelayObservationConvention> relay) {
			this.registry = registry;
			this.naming = naming;
			this.publish = publish;
			this.relay = relay;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			ObservationRegistry registry = (bean instanceof Outbox || bean instanceof MessageSender)
					? this.registry.getIfUnique() : null;
			if (registry == null || registry == ObservationRegistry.NOOP) {
				return bean;
			}
			if (bean instanceof Outbox outbox) {
				return new ObservedOutbox(outbox, registry, this.naming.getObject(), this.publish.getIfUnique());
			}
			return new ObservedMessageSender((MessageSender) bean, registry, this.relay.getIfUnique());
		}

	}

}
