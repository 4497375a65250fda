/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.lang.reflect.Field;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.impl.CredentialsProvider;
import io.orderedoutbox.rabbit.BrokerSettings;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory.AddressShuffleMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.ThreadChannelConnectionFactory;
import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However the application's connection factory has learned where the broker is, the relay
 * gets there too.
 */
@ExtendWith(OutputCaptureExtension.class)
class InheritedConnectionTests {

	private static final Broker BROKER = Servers.broker();

	private static final ExecutorService EXECUTOR = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		return thread;
	});

	@ParameterizedTest
	@ValueSource(classes = { Addresses.class, Resolver.class, ResolverBesideAddresses.class, HostAndPort.class,
			UriOnly.class, Credentials.class, ChannelPerThread.class, ProxiedByInterface.class, ProxiedByClass.class,
			ProxiedTwice.class, Scoped.class })
	void theRelaySends(Class<?> connections) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(connections).start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
		}
	}

	@Test
	void theRelaySendsToTheAddressesOfTheApplicationsOwnFactoryEvenIfItsHostIsThatOfTheProperties() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue)
					.with("spring.rabbitmq.addresses", "localhost:5672,127.0.0.1:2")
					.with(Addresses.class)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
		}
	}

	@Test
	void orderVirtualHostAndThreadsAreTakenOver() {
		try (OutboxApplication application = application().with(Everything.class).start()) {
			CachingConnectionFactory own = own(application);
			BrokerSettings settings = BrokerSettings.of(own);
			assertThat(settings.addresses()).hasSize(2)
				.isEqualTo(BrokerSettings.of(application.bean(CachingConnectionFactory.class)).addresses());
			assertThat(settings.order()).isEqualTo(AddressShuffleMode.INORDER);
			assertThat(settings.executor()).isSameAs(EXECUTOR);
			assertThat(own.getVirtualHost()).isEqualTo("shop");
			assertThat(own.getUsername()).isEqualTo("clerk");
			assertThat(own.getRabbitConnectionFactory().isSSL()).isTrue();
		}
	}

	// As when secrets are rotated
	@Test
	void credentialsThatTheApplicationChangesAtRunTimeAreThoseOfTheNextConnection(CapturedOutput output) {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(WrongCredentials.class).start()) {
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("The relay cannot work: ").contains("(user 'clerk'"));
			withCredentials(application.bean(CachingConnectionFactory.class));
			queue.await(1);
			assertThat(own(application).getUsername()).isEqualTo(BROKER.username());
		}
	}

	@Test
	void aProviderOfCredentialsOfTheApplicationsOwnIsAskedForEachConnection() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = application().sendingTo(queue).with(Credentials.class).start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			AtomicInteger asked = application.bean(Credentials.class).asked;
			int before = asked.get();
			own(application).resetConnection();
			application.publish(new OrderPlaced("a", 2));
			queue.await(2);
			assertThat(asked).hasValueGreaterThan(before);
			CredentialsProvider provider = own(application).getRabbitConnectionFactory()
				.params(null)
				.getCredentialsProvider();
			assertThat(provider).as("a service that refreshes credentials knows it")
				.isSameAs(application.bean(CachingConnectionFactory.class)
					.getRabbitConnectionFactory()
					.params(null)
					.getCredentialsProvider());
		}
	}

	@Test
	void aFactoryOfTheOutboxsOwnIsNotTouched() {
		try (OutboxApplication application = application().with(OwnOfTheOutbox.class).start()) {
			assertThat(BrokerSettings.of(own(application)).addresses()).containsExactly(new Address("own", 1));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { NobodyThere.class, ResolvesToNobody.class })
	void addressesWhereNobodyListensAreNamed(Class<?> connections, CapturedOutput output) {
		try (OutboxApplication application = application().with(connections).start()) {
			application.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains(
						"RabbitMQ cannot be reached at 127.0.0.1:1, 127.0.0.1:2 (user 'clerk', virtual host 'shop'): ConnectException"));
			assertThat(output).doesNotContain("secret");
		}
	}

	// A field that a new version of Spring AMQP brings may have to be taken over
	@Test
	void allThatSpringsFactoryKeepsIsKnown() {
		Set<String> takenOver = Set.of("addresses", "addressShuffleMode", "addressResolver", "executorService");
		Set<String> client = Set.of("rabbitConnectionFactory");
		Set<String> ofTheRelay = Set.of("closeTimeout", "closeExceptionLogger", "connectionNameStrategy");
		Set<String> ofTheBean = Set.of("logger", "lock", "beanName", "applicationContext", "applicationEventPublisher",
				"contextStopped", "defaultConnectionNameStrategyCounter");
		// They belong to the application's connections, or would make a worker wait
		Set<String> ofTheApplication = Set.of("connectionListener", "channelListener", "recoveryListener",
				"publisherConnectionFactory", "connectionCreatingBackOff");
		assertThat(Arrays.stream(AbstractConnectionFactory.class.getDeclaredFields())
			.filter((field) -> !java.lang.reflect.Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
			.map(Field::getName))
			.containsExactlyInAnyOrderElementsOf(Stream.of(takenOver, client, ofTheRelay, ofTheBean, ofTheApplication)
				.flatMap(Set::stream)
				.toList());
	}

	// What Boot has when nothing is configured
	private static Builder application() {
		return OutboxApplication.on(Servers.database().fresh())
			.with("spring.rabbitmq.host", "localhost")
			.with("spring.rabbitmq.port", 5672);
	}

	private static CachingConnectionFactory own(OutboxApplication application) {
		return application.context().getBean("outboxRabbitConnectionFactory", CachingConnectionFactory.class);
	}

	private static String address() {
		return BROKER.host() + ":" + BROKER.port();
	}

	private static <T extends AbstractConnectionFactory> T withCredentials(T factory) {
		factory.setUsername(BROKER.username());
		factory.setPassword(BROKER.password());
		return factory;
	}

	private static CachingConnectionFactory withAddresses(String addresses) {
		CachingConnectionFactory factory = withCredentials(new CachingConnectionFactory());
		factory.setAddresses(addresses);
		return factory;
	}

	private static CachingConnectionFactory strangers() {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		factory.setUsername("clerk");
		factory.setPassword("secret");
		factory.setVirtualHost("shop");
		factory.setAddressShuffleMode(AddressShuffleMode.INORDER);
		return factory;
	}

	@Configuration(proxyBeanMethods = false)
	static class Addresses {

		@Bean
		CachingConnectionFactory connections() {
			return withAddresses("127.0.0.1:1," + address());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Resolver {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = withCredentials(new CachingConnectionFactory());
			factory.setAddressResolver(() -> List.of(new Address("127.0.0.1", 1), Address.parseAddress(address())));
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ResolverBesideAddresses {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = withAddresses("127.0.0.1:1");
			factory.setAddressResolver(() -> List.of(Address.parseAddress(address())));
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HostAndPort {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = withCredentials(new CachingConnectionFactory());
			factory.setHost(BROKER.host());
			factory.setPort(BROKER.port());
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UriOnly {

		@Bean
		CachingConnectionFactory connections() {
			return new CachingConnectionFactory(
					URI.create("amqp://%s:%s@%s".formatted(BROKER.username(), BROKER.password(), address())));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Credentials {

		private final AtomicInteger asked = new AtomicInteger();

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = new CachingConnectionFactory();
			factory.setAddresses(address());
			factory.getRabbitConnectionFactory().setCredentialsProvider(new CredentialsProvider() {

				@Override
				public String getUsername() {
					return BROKER.username();
				}

				@Override
				public String getPassword() {
					Credentials.this.asked.incrementAndGet();
					return BROKER.password();
				}

			});
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrongCredentials {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = new CachingConnectionFactory();
			factory.setAddresses(address());
			factory.setUsername("clerk");
			factory.setPassword("secret");
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ChannelPerThread {

		@Bean
		ThreadChannelConnectionFactory connections() {
			ThreadChannelConnectionFactory factory = withCredentials(
					new ThreadChannelConnectionFactory(new com.rabbitmq.client.ConnectionFactory()));
			factory.setAddresses(address());
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByInterface {

		@Bean
		ConnectionFactory connections() {
			ProxyFactory proxy = new ProxyFactory(ConnectionFactory.class,
					(org.aopalliance.intercept.MethodInterceptor) (invocation) -> invocation.proceed());
			proxy.setTarget(withAddresses(address()));
			return (ConnectionFactory) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedByClass {

		@Bean
		CachingConnectionFactory connections() {
			ProxyFactory proxy = new ProxyFactory(withAddresses(address()));
			proxy.setProxyTargetClass(true);
			return (CachingConnectionFactory) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProxiedTwice {

		@Bean
		ConnectionFactory connections() {
			ProxyFactory proxy = new ProxyFactory(new ProxiedByInterface().connections());
			return (ConnectionFactory) proxy.getProxy();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		CachingConnectionFactory connections() {
			return withAddresses(address());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Everything {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = strangers();
			factory.setAddresses(List.of("one:1", "[::1]:2"));
			factory.setExecutor(EXECUTOR);
			try {
				factory.getRabbitConnectionFactory().useSslProtocol();
			}
			catch (java.security.GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnOfTheOutbox {

		@Bean(defaultCandidate = false)
		CachingConnectionFactory outboxRabbitConnectionFactory() {
			CachingConnectionFactory factory = new CachingConnectionFactory();
			factory.setAddresses("own:1");
			factory.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.SIMPLE);
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NobodyThere {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = strangers();
			factory.setAddresses("127.0.0.1:1,127.0.0.1:2");
			return factory;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ResolvesToNobody {

		@Bean
		CachingConnectionFactory connections() {
			CachingConnectionFactory factory = strangers();
			factory.setAddressResolver(() -> List.of(new Address("127.0.0.1", 1), new Address("127.0.0.1", 2)));
			return factory;
		}

	}

}
