/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.named;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.autoconfigure.EachOutbox;
import io.orderedoutbox.autoconfigure.OutboxIdentity;
import io.orderedoutbox.autoconfigure.OutboxRelayDataSource;
import io.orderedoutbox.autoconfigure.OutboxSenderProperties;
import io.orderedoutbox.autoconfigure.named.OutboxNamedProperties.Named;
import io.orderedoutbox.payload.PayloadSource;
import io.orderedoutbox.payload.PayloadTransformer;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.store.BacklogReader;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.store.RelayStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.ResolvableType;
import org.springframework.util.StringUtils;

/**
 * Makes the application context of an outbox with a name.
 * <ol>
 * <li>Its environment is that of the application, in which {@code outbox.*} means
 * {@code outbox.named.<name>.*}.</li>
 * <li>It has no parent: the conditions of the auto-configuration would find the beans of
 * the outbox without a name there. What it works with is handed over: the DataSource and
 * the connection factory that the properties name, what the application has replaced, and
 * what optional parts of the library add.</li>
 * <li>The auto-configuration that is marked with {@link EachOutbox} does the rest.</li>
 * <li>What fails is told with the name of the outbox, and with its properties as they are
 * written.</li>
 * </ol>
 */
final class NamedContext {

	private static final Logger logger = LoggerFactory.getLogger(NamedContext.class);

	private final String name;

	private final Named properties;

	private final ConfigurableApplicationContext application;

	private final Supplier<@Nullable DataSource> dataSource;

	private final List<NamedOutboxCustomizer> customizers;

	private final NamedEnvironment environment;

	private final DeferredStart lifecycle = new DeferredStart();

	private final AnnotationConfigApplicationContext context = new SilentContext();

	NamedContext(String name, Named properties, ConfigurableApplicationContext application,
			Supplier<@Nullable DataSource> dataSource, List<NamedOutboxCustomizer> customizers) {
		this.name = name;
		this.properties = properties;
		this.application = application;
		this.dataSource = dataSource;
		this.customizers = customizers;
		this.environment = new NamedEnvironment(application.getEnvironment(), name);
	}

	DeferredStart lifecycle() {
		return this.lifecycle;
	}

	/**
	 * Make it, and start nothing in it.
	 */
	AnnotationConfigApplicationContext refresh() {
		this.context.setId(this.application.getId() + ":outbox:" + this.name);
		this.context.setDisplayName("Outbox '%s' of %s".formatted(this.name, this.application.getDisplayName()));
		this.context.setClassLoader(this.application.getClassLoader());
		this.context.setEnvironment(this.environment);
		DefaultListableBeanFactory target = this.context.getDefaultListableBeanFactory();
		this.lifecycle.setBeanFactory(target);
		target.registerSingleton(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, this.lifecycle);
		try {
			if (this.properties.enabled()) {
				logger.atInfo()
					.addKeyValue("ordered", this.properties.ordered())
					.log("The application has an outbox '{}', besides others", this.name);
				handOver(collaborators());
			}
			this.lifecycle.leave(Set.of(target.getSingletonNames()));
			this.context.register(NamedParts.class);
			this.context.refresh();
			return this.context;
		}
		catch (RuntimeException ex) {
			throw failure(ex);
		}
	}

	private Collaborators collaborators() {
		return new Collaborators(this.name, this.application.getBeanFactory(),
				this.context.getDefaultListableBeanFactory());
	}

	void check(Consumer<Collaborators> check) {
		try {
			check.accept(collaborators());
		}
		catch (OutboxConfigurationException ex) {
			throw failure(ex);
		}
	}

	private void handOver(Collaborators collaborators) {
		collaborators.share(List.of(Partitioner.class, MessageNamingStrategy.class, MessageIdGenerator.class,
				PayloadSerializer.class, PayloadSource.class, RoutingStrategy.class, OperatorIdentity.class));
		collaborators.shareAll(PayloadTransformer.class, RelayListener.class, MessageSenderDecorator.class,
				DataSourcePoolMetadataProvider.class);
		handOverSenders(collaborators);
		// Two outboxes would get into each other's way
		collaborators.own(OutboxStore.class, RelayStore.class, OutboxAdministration.class, AuditTrail.class,
				BacklogReader.class, RelayWorkers.class);
		DataSource dataSource = dataSource(collaborators);
		collaborators.give("orderedOutboxIdentity", identity(collaborators, dataSource));
		if (this.properties.relayDataSource() != null) {
			collaborators.lend(DataSource.class, "relay-data-source", this.properties.relayDataSource(),
					OutboxRelayDataSource.class);
		}
		this.customizers.forEach((customizer) -> customizer.customize(collaborators, this.properties));
	}

	// Where the properties choose a sender, one that they do not name is not meant
	private void handOverSenders(Collaborators collaborators) {
		OutboxSenderProperties senders = this.properties.senderProperties();
		senders.ofApplication().forEach((name) -> collaborators.lend(MessageSender.class, "sender", name, null));
		if (this.properties.sender() == null && senders.senders().isEmpty()) {
			if (this.properties.connectionFactory() == null) {
				collaborators.share(MessageSender.class);
			}
			else {
				collaborators.own(MessageSender.class);
			}
		}
	}

	private DataSource dataSource(Collaborators collaborators) {
		DataSource named = collaborators.choose(DataSource.class, "data-source", this.properties.dataSource());
		DataSource chosen = (named != null) ? named : this.dataSource.get();
		if (chosen == null) {
			throw new OutboxConfigurationException(
					"The outbox '%s' needs a DataSource, and the application has none that is marked, the only one or the primary one."
						.formatted(this.name),
					"Name its bean with outbox.named.%s.data-source, or qualify it with the name of the outbox."
						.formatted(this.name));
		}
		collaborators.give("orderedOutboxGivenDataSource", chosen);
		return chosen;
	}

	private OutboxIdentity identity(Collaborators collaborators, DataSource dataSource) {
		String routing = this.properties.routingDataSource();
		if (routing == null) {
			return new OutboxIdentity(this.name, null, null, this.environment::asWritten);
		}
		return new OutboxIdentity(this.name, collaborators.bean(DataSource.class, "routing-data-source", routing),
				ShardConnections.of(dataSource), this.environment::asWritten);
	}

	private OutboxConfigurationException failure(RuntimeException failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof OutboxConfigurationException)) {
			cause = cause.getCause();
		}
		return (cause instanceof OutboxConfigurationException known)
				? new OutboxConfigurationException(
						"The outbox '%s' cannot be used. %s".formatted(this.name,
								this.environment.asWritten(known.getDescription())),
						this.environment.asWritten(known.getRemedy()), failure)
				: new OutboxConfigurationException(
						"The outbox '%s' cannot be used: %s.".formatted(this.name,
								this.environment.asWritten(text(NestedExceptionUtils.getMostSpecificCause(failure)))),
						"Correct outbox.named.%s.*, or what it refers to.".formatted(this.name), failure);
	}

	private static String text(Throwable cause) {
		return "%s: %s".formatted(cause.getClass().getSimpleName(),
				StringUtils.trimTrailingCharacter(String.valueOf(cause.getMessage()), '.'));
	}

	/**
	 * Publishes no events: a bean that the application has handed over would take the
	 * start and the end of this context for those of the application.
	 */
	private static final class SilentContext extends AnnotationConfigApplicationContext {

		@Override
		protected void publishEvent(Object event, @Nullable ResolvableType type) {
		}

	}

}
