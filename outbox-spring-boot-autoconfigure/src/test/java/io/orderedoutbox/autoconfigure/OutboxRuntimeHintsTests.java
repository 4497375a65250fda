/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.mysql.cj.jdbc.ConnectionImpl;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.monitor.OutboxConsoleAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRabbitAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.publish.PartitionKeyAspect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OutboxRuntimeHints}, and that the auto-configuration can be processed
 * ahead of time.
 */
@Tag("unit")
class OutboxRuntimeHintsTests {

	@ParameterizedTest
	@ValueSource(strings = { "jdbc/schema-mysql", "jdbc/schema-mariadb", "jdbc/schema-postgresql", "jdbc/schema-h2",
			"jdbc/migration-1-to-2-mysql", "inbox/schema-mysql", "inbox/schema-mariadb", "inbox/schema-postgresql",
			"inbox/schema-h2" })
	void imagesContainTheScripts(String name) {
		String script = "io/orderedoutbox/%s.sql".formatted(name);
		assertThat(ClassUtils.getDefaultClassLoader().getResource(script)).isNotNull();
		assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints());
	}

	@Test
	void imagesContainTheChangeLogsOfLiquibase() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/orderedoutbox/liquibase/outbox.xml"))
			.accepts(hints());
	}

	@ParameterizedTest
	@ValueSource(strings = { "com.zaxxer.hikari.HikariDataSource", "org.hibernate.engine.spi.SessionImplementor",
			"org.springframework.security.web.SecurityFilterChain", "io.cloudevents.core.message.MessageReader" })
	void imagesSeeWhatIsThereOrNot(String name) {
		assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(name))).accepts(hints());
	}

	@ParameterizedTest
	@ValueSource(classes = { Long.class, UUID.class, BigDecimal.class, Instant.class })
	void imagesSeeTheTextOfKeys(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints());
	}

	@Test
	void imagesContainTheProxyAndItsAspect() throws NoSuchMethodException {
		assertThat(
				RuntimeHintsPredicates.proxies().forInterfaces(AopProxyUtils.completeJdkProxyInterfaces(Outbox.class)))
			.accepts(hints());
		assertThat(RuntimeHintsPredicates.reflection().onType(PartitionKeyAspect.class)).accepts(hints());
	}

	@Test
	void imagesSeeTheDriver() {
		assertThat(RuntimeHintsPredicates.reflection().onType(ConnectionImpl.class)).accepts(hints());
	}

	@Test
	void imagesSeeWhereTheAddressesOfTheBrokerAre() throws NoSuchFieldException {
		for (String field : List.of("addresses", "addressShuffleMode", "addressResolver", "executorService")) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onFieldAccess(AbstractConnectionFactory.class.getDeclaredField(field))).accepts(hints());
		}
	}

	@Test
	void imagesSeeTheMessageConverterOfListeners() throws NoSuchFieldException {
		assertThat(RuntimeHintsPredicates.reflection()
			.onFieldAccess(AbstractRabbitListenerContainerFactory.class.getDeclaredField("messageConverter")))
			.accepts(hints());
	}

	@Test
	void processingAheadOfTimeRegistersThem() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Configurations.getClasses(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					DataSourceTransactionManagerAutoConfiguration.class, JacksonAutoConfiguration.class,
					OutboxAutoConfiguration.class, OutboxRabbitAutoConfiguration.class,
					OutboxRelayAutoConfiguration.class, OutboxMonitorAutoConfiguration.class,
					OutboxConsoleAutoConfiguration.class)));
			DefaultGenerationContext generation = generation();
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			assertThat(RuntimeHintsPredicates.resource().forResource("io/orderedoutbox/jdbc/schema-mysql.sql"))
				.accepts(generation.getRuntimeHints());
			assertThat(RuntimeHintsPredicates.reflection()
				.onMethodInvocation(OutboxProperties.Relay.class.getRecordComponents()[0].getAccessor()))
				.accepts(generation.getRuntimeHints());
			for (String written : List.of("OverviewDescriptor", "OverviewDescriptor$RelayDescriptor",
					"InstanceDescriptor$WorkerDescriptor", "Answer", "MonitorSampler$Sample", "MonitorPage$Action",
					"OutboxEndpoint$Body")) {
				assertThat(RuntimeHintsPredicates.reflection()
					.onType(TypeReference.of("io.orderedoutbox.monitor.console." + written))).as(written)
					.accepts(generation.getRuntimeHints());
			}
		}
	}

	private static DefaultGenerationContext generation() {
		return new DefaultGenerationContext(new ClassNameGenerator(ClassName.get("com.example", "Application")),
				new InMemoryGeneratedFiles());
	}

	private static RuntimeHints hints() {
		RuntimeHints hints = new RuntimeHints();
		new OutboxRuntimeHints().registerHints(hints, null);
		return hints;
	}

}
