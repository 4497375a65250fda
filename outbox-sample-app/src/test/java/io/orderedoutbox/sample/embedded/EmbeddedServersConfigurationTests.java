/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.embedded;

import java.nio.file.Path;

import io.orderedoutbox.servers.EmbeddedMariaDb;
import io.orderedoutbox.servers.EmbeddedQpid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EmbeddedServersConfiguration}: nothing is started here, it is asked
 * only what would be.
 */
@Tag("unit")
class EmbeddedServersConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withInitializer(new ConfigDataApplicationContextInitializer())
		.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
		.withUserConfiguration(EmbeddedServersConfiguration.class);

	@Test
	void withoutAProfileTheSampleBringsItsServers() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(EmbeddedMariaDb.class)
				.hasSingleBean(EmbeddedQpid.class)
				.hasSingleBean(JdbcConnectionDetails.class)
				.hasSingleBean(RabbitConnectionDetails.class);
			assertThat(context.getEnvironment().getProperty("spring.docker.compose.enabled")).isEqualTo("false");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "docker", "services" })
	void aProfileThatNamesServersNeedsNoneInTheProcess(String profile) {
		this.runner.withPropertyValues("spring.profiles.active=" + profile)
			.run((context) -> assertThat(context).doesNotHaveBean(EmbeddedMariaDb.class)
				.doesNotHaveBean(EmbeddedQpid.class)
				.doesNotHaveBean(JdbcConnectionDetails.class)
				.doesNotHaveBean(RabbitConnectionDetails.class));
	}

	@Test
	void theProfileDockerSwitchesDockerComposeOn() {
		this.runner.withPropertyValues("spring.profiles.active=docker")
			.run((context) -> assertThat(context.getEnvironment().getProperty("spring.docker.compose.enabled"))
				.isEqualTo("true"));
		assertThat(Path.of("compose.yaml")).exists();
	}

	@Test
	void theProfileServicesTakesTheAddressesFromTheEnvironment() {
		this.runner
			.withPropertyValues("spring.profiles.active=services", "OUTBOX_MYSQL_URL=jdbc:mysql://db/shop",
					"OUTBOX_MYSQL_USERNAME=ada", "OUTBOX_MYSQL_PASSWORD=secret", "OUTBOX_RABBITMQ_HOST=rabbit",
					"OUTBOX_RABBITMQ_PORT=5673", "OUTBOX_RABBITMQ_USERNAME=alan", "OUTBOX_RABBITMQ_PASSWORD=hidden")
			.run((context) -> {
				assertProperty(context, "spring.datasource.url", "jdbc:mysql://db/shop");
				assertProperty(context, "spring.datasource.username", "ada");
				assertProperty(context, "spring.datasource.password", "secret");
				assertProperty(context, "spring.rabbitmq.host", "rabbit");
				assertProperty(context, "spring.rabbitmq.port", "5673");
				assertProperty(context, "spring.rabbitmq.username", "alan");
				assertProperty(context, "spring.rabbitmq.password", "hidden");
			});
	}

	private static void assertProperty(ApplicationContext context, String name, String value) {
		assertThat(context.getEnvironment().getProperty(name)).isEqualTo(value);
	}

}
