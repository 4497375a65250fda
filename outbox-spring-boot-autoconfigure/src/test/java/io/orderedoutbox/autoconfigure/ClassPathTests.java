/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.inbox.message.MessageId;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Real applications on class paths from which optional jars are really missing.
 */
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
public class ClassPathTests {

	private static final String OPTIONAL = "spring-boot-(actuator|health|micrometer|hibernate|data|persistence).*"
			+ "|micrometer-(core|jakarta9|registry).*|hibernate-.*|spring-(data|orm|web).*|jakarta\\.persistence.*"
			+ "|cloudevents-.*|spring-modulith-.*";

	private static final String AMQP = OPTIONAL + "|spring-(rabbit|amqp|boot-amqp|boot-rabbitmq).*|amqp-client.*";

	private final Database database = Servers.database().fresh();

	private final JdbcTemplate jdbc = new JdbcTemplate(
			new DriverManagerDataSource(this.database.jdbcUrl(), this.database.username(), this.database.password()));

	@Test
	void nothingButTheStarterIsEnough() throws Exception {
		try (TestQueue queue = TestQueue.forEverything();
				URLClassLoader classPath = without(OPTIONAL, "io.micrometer.core.instrument.MeterRegistry",
						"org.springframework.boot.actuate.endpoint.annotation.Endpoint", "io.cloudevents.CloudEvent",
						"org.springframework.modulith.events.Externalized")) {
			AutoCloseable application = start(classPath, "--outbox.rabbit.exchange=" + queue.exchange(),
					"--outbox.rabbit.format=cloudevents", "--outbox.rabbit.cloud-events.source=/shop",
					"--outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName());
			try {
				assertThat(queue.await(1).get(0).routingKey()).isEqualTo("order.placed");
				assertThat(queue.await(1).get(0).properties().getHeaders()).containsKey("cloudEvents_id");
			}
			finally {
				application.close();
			}
		}
	}

	@Test
	void anEventThatOnlyTheLibraryReadsIsRejectedWithoutIt() throws Exception {
		try (URLClassLoader classPath = without(OPTIONAL, "io.cloudevents.CloudEvent")) {
			Supplier<?> rejection = (Supplier<?>) classPath.loadClass(StructuredEvent.class.getName())
				.getConstructor()
				.newInstance();
			assertThat(rejection.get()).asString()
				.contains("is a CloudEvent in structured mode, which needs the libraries cloudevents-core and "
						+ "cloudevents-json-jackson of io.cloudevents on the class path");
		}
	}

	@Test
	void anInstanceThatOnlyWritesNeedsNoAmqp() throws Exception {
		try (URLClassLoader classPath = without(AMQP, "com.rabbitmq.client.Channel",
				"org.springframework.amqp.rabbit.core.RabbitTemplate", "org.springframework.amqp.core.Message")) {
			start(classPath, "--outbox.relay.mode=off", "--outbox.rabbit.exchange=orders").close();
		}
		assertThat(
				this.jdbc.queryForList("SELECT CONCAT(exchange, '/', routing_key) FROM outbox_message", String.class))
			.containsExactly("orders/order.placed");
	}

	@Test
	void anotherDriverThanMySqlsIsEnough() throws Exception {
		try (TestQueue queue = TestQueue.forEverything();
				URLClassLoader classPath = without(OPTIONAL + "|mysql-connector-.*",
						"com.mysql.cj.jdbc.JdbcConnection")) {
			AutoCloseable application = start(classPath, "--outbox.rabbit.exchange=" + queue.exchange(),
					"--spring.datasource.url=" + this.database.jdbcUrl()
						.replaceFirst("jdbc:mysql:", "jdbc:mariadb:")
						.replace("sslMode=DISABLED", "sslMode=disable"));
			try {
				assertThat(queue.await(1).get(0).routingKey()).isEqualTo("order.placed");
			}
			finally {
				application.close();
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:mysql://localhost/shop, com.mysql:mysql-connector-j",
			"jdbc:mariadb://localhost/shop, org.mariadb.jdbc:mariadb-java-client",
			"jdbc:postgresql://localhost/shop, org.postgresql:postgresql" })
	void anApplicationWithoutADriverSaysWhichOneToAdd(String url, String dependency, CapturedOutput output)
			throws Exception {
		try (URLClassLoader classPath = without(OPTIONAL + "|(mysql-connector|mariadb-java-client|postgresql)-.*",
				"com.mysql.cj.jdbc.Driver", "org.mariadb.jdbc.Driver", "org.postgresql.Driver")) {
			assertThatExceptionOfType(InvocationTargetException.class)
				.isThrownBy(() -> start(classPath, "--spring.datasource.url=" + url).close());
		}
		assertThat(output.getAll()).contains("Add the dependency " + dependency + " with the scope runtime.");
	}

	@Test
	void aRelayWithoutAmqpSaysWhatItNeeds() throws Exception {
		try (URLClassLoader classPath = without(AMQP, "org.springframework.amqp.rabbit.core.RabbitTemplate")) {
			assertThatExceptionOfType(InvocationTargetException.class).isThrownBy(() -> start(classPath).close())
				.havingRootCause()
				.withMessageContaining("spring-boot-starter-amqp")
				.withMessageContaining("outbox.relay.mode=off");
		}
	}

	@ParameterizedTest
	@CsvSource({ "aspectjweaver.*|spring-aspects.*, org.aspectj.lang.ProceedingJoinPoint, spring-boot-starter-aspectj",
			"java-uuid-generator.*, com.fasterxml.uuid.Generators, com.fasterxml.uuid:java-uuid-generator",
			"(spring-boot-)?jackson-.*, tools.jackson.databind.json.JsonMapper, spring-boot-starter-jackson",
			"spring(-boot)?-jdbc-.*|HikariCP-.*, org.springframework.jdbc.core.JdbcTemplate, spring-boot-starter-jdbc" })
	void aLibraryThatTheStarterBringsIsNamedWhereItIsExcluded(String jars, String type, String library,
			CapturedOutput output) throws Exception {
		try (URLClassLoader classPath = without(OPTIONAL + "|" + jars, type)) {
			assertThatExceptionOfType(InvocationTargetException.class).isThrownBy(() -> start(classPath).close());
		}
		assertThat(output).contains("APPLICATION FAILED TO START", "The outbox needs the class ",
				"which is not on the class path", "Add ", library);
	}

	private AutoCloseable start(URLClassLoader classPath, String... arguments) throws ReflectiveOperationException {
		Broker broker = Servers.broker();
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(List.of("--spring.main.banner-mode=off", "--spring.jmx.enabled=false", "--outbox.ordered=true",
				"--spring.datasource.url=" + this.database.jdbcUrl(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(), "--outbox.jdbc.initialize-schema=always",
				"--spring.rabbitmq.host=" + broker.host(), "--spring.rabbitmq.port=" + broker.port(),
				"--spring.rabbitmq.username=" + broker.username(), "--spring.rabbitmq.password=" + broker.password()));
		return SmallApplication.startOn(classPath, all);
	}

	private static URLClassLoader without(String jars, String... absent) throws IOException {
		List<URL> urls = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (!Path.of(entry).getFileName().toString().matches(jars)) {
				urls.add(url(entry));
			}
		}
		URLClassLoader classPath = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
		for (String name : absent) {
			assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> classPath.loadClass(name));
		}
		return classPath;
	}

	private static URL url(String entry) throws MalformedURLException {
		return Path.of(entry).toUri().toURL();
	}

	/**
	 * Why a CloudEvent in structured mode is rejected.
	 */
	public static class StructuredEvent implements Supplier<String> {

		@Override
		public String get() {
			Message message = MessageBuilder.withBody(new byte[0])
				.setContentType("application/cloudevents+json")
				.build();
			try {
				return "no rejection, but " + MessageId.of(message);
			}
			catch (AmqpRejectAndDontRequeueException ex) {
				return String.valueOf(ex.getCause());
			}
		}

	}

}
