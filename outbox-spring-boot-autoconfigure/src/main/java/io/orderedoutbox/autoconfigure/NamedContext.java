package io.orderedoutbox.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.RelayWorkers;
import io.orderedoutbox.autoconfigure.OutboxNamedProperties.Named;
import io.orderedoutbox.publish.MessageIdGenerator;
import io.orderedoutbox.publish.MessageNamingStrategy;
import io.orderedoutbox.publish.PayloadSerializer;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.relay.MessageSender;
import io.orderedoutbox.relay.MessageSenderDecorator;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.store.BacklogReader;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.Partitioner;
import io.orderedoutbox.store.RelayStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

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

	private final Supplier<DataSource> dataSource;

	private final List<NamedOutboxCustomizer> customizers;

	private final NamedEnvironment environment;

	private final DeferredStart lifecycle = new DeferredStart();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	NamedContext(String name, Named properties, ConfigurableApplicationContext application,
			Supplier<DataSource> dataSource, List<NamedOutboxCustomizer> customizers) {
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
		ConfigurableListableBeanFactory target = this.context.getBeanFactory();
		this.lifecycle.setBeanFactory(target);
		target.registerSingleton(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME, this.lifecycle);
		try {
			if (this.properties.enabled()) {
				logger.atInfo()
					.addKeyValue("ordered", this.properties.ordered())
					.log("The application has an outbox '{}', besides others", this.name);
				handOver(new Collaborators(this.name, this.application.getBeanFactory(), target));
			}
			this.context.register(configurations());
			this.context.refresh();
			return this.context;
		}
		catch (RuntimeException ex) {
			throw failure(ex);
		}
	}

	private void handOver(Collaborators collaborators) {
		collaborators.share(Partitioner.class, MessageNamingStrategy.class, MessageIdGenerator.class,
				PayloadSerializer.class, RoutingStrategy.class, OperatorIdentity.class);
		if (this.properties.connectionFactory() == null) {
			collaborators.share(MessageSender.class);
		}
		collaborators.shareAll(RelayListener.class, MessageSenderDecorator.class, DataSourcePoolMetadataProvider.class);
		// Two outboxes would get into each other's way
		collaborators.own(OutboxStore.class, RelayStore.class, OutboxAdministration.class, AuditTrail.class,
				BacklogReader.class, RelayWorkers.class);
		DataSource dataSource = dataSource(collaborators);
		collaborators.give("orderedOutboxIdentity", identity(collaborators, dataSource));
		if (this.properties.relayDataSource() != null) {
			DataSource ofRelay = collaborators.bean(DataSource.class, "relay-data-source",
					this.properties.relayDataSource());
			this.context.registerBeanDefinition("orderedOutboxGivenRelayDataSource", ofRelay(ofRelay));
		}
		this.customizers.forEach((customizer) -> customizer.customize(collaborators, this.properties));
	}

	private DataSource dataSource(Collaborators collaborators) {
		DataSource named = collaborators.choose(DataSource.class, "data-source", this.properties.dataSource());
		DataSource chosen = (named != null) ? named : this.dataSource.get();
		collaborators.give("orderedOutboxGivenDataSource", chosen);
		return chosen;
	}

	private OutboxIdentity identity(Collaborators collaborators, DataSource dataSource) {
		String routing = this.properties.routingDataSource();
		if (routing == null) {
			return new OutboxIdentity(this.name, null, null);
		}
		return new OutboxIdentity(this.name, collaborators.bean(DataSource.class, "routing-data-source", routing),
				ShardConnections.of(dataSource));
	}

	// The context does not own it: it is not to be closed with it
	private static RootBeanDefinition ofRelay(DataSource dataSource) {
		RootBeanDefinition definition = new RootBeanDefinition(DataSource.class, () -> dataSource);
		definition.addQualifier(new AutowireCandidateQualifier(OutboxRelayDataSource.class));
		definition.setDefaultCandidate(false);
		definition.setDestroyMethodName("");
		return definition;
	}

	private Class<?>[] configurations() {
		ClassLoader loader = Objects.requireNonNull(this.application.getClassLoader());
		Stream<Class<?>> ours = ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((candidate) -> candidate.startsWith(NamedContext.class.getPackageName() + "."))
			.map((candidate) -> ClassUtils.resolveClassName(candidate, loader));
		return Configurations.getClasses(AutoConfigurations
			.of(ours.filter((type) -> type.isAnnotationPresent(EachOutbox.class)).toArray(Class<?>[]::new)));
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
						"The outbox '%s' cannot be used: %s".formatted(this.name,
								this.environment
									.asWritten(NestedExceptionUtils.getMostSpecificCause(failure).toString())),
						"Correct outbox.named.%s.*, or what it refers to.".formatted(this.name), failure);
	}

}
