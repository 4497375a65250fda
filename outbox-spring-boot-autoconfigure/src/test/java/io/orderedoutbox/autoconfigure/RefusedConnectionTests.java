/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.function.UnaryOperator;

import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresMySql;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A server that answers and lets nobody in is not one that cannot be reached.
 */
@ExtendWith(OutputCaptureExtension.class)
class RefusedConnectionTests {

	private static final String SECRET = "open-sesame";

	private final Database database = Servers.database().fresh();

	private final Builder application = OutboxApplication.on(this.database);

	@Test
	void aWrongPasswordOfTheBrokerIsNamed(CapturedOutput output) {
		this.application.with("spring.rabbitmq.username", "clerk").with("spring.rabbitmq.password", SECRET);
		assertBrokerRefuses(output, broker("clerk", "/"), "authentication");
	}

	@Test
	@RequiresRabbitMq
	void anUnknownVirtualHostIsNamed(CapturedOutput output) {
		this.application.with("spring.rabbitmq.virtual-host", "nowhere");
		assertBrokerRefuses(output, broker(Servers.broker().username(), "nowhere"),
				"530 NOT_ALLOWED - vhost nowhere not found");
		assertThat(output).doesNotContain("java.io.IOException");
	}

	@Test
	void aBrokerThatIsAwayCannotBeReached(CapturedOutput output) {
		this.application.with("spring.rabbitmq.host", "127.0.0.1").with("spring.rabbitmq.port", 1);
		assertRelaySays(output, "RabbitMQ cannot be reached at 127.0.0.1:1 (user '",
				"virtual host '/'): ConnectException");
	}

	@Test
	void aHostOfTheBrokerThatDoesNotExistIsNamed(CapturedOutput output) {
		this.application.with("spring.rabbitmq.host", "nowhere.invalid");
		assertRelaySays(output, "RabbitMQ cannot be reached at nowhere.invalid:", "UnknownHostException");
	}

	@Test
	void aServerThatIsNoBrokerIsNamed(CapturedOutput output) {
		int port = port(this.database.jdbcUrl());
		this.application.with("spring.rabbitmq.host", "127.0.0.1").with("spring.rabbitmq.port", port);
		assertRelaySays(output, "RabbitMQ", "at 127.0.0.1:" + port);
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	@RequiresMySql // the embedded database lets everybody in
	void aWrongPasswordOfTheDatabaseIsNamed(String initialize, CapturedOutput output) {
		prepare(initialize);
		this.application.with("spring.datasource.password", SECRET);
		assertDatabaseRefuses(initialize, output, "(user '" + this.database.username() + "')",
				"Access denied for user '" + this.database.username());
	}

	@ParameterizedTest
	@ValueSource(strings = { "always", "never" })
	void anUnknownDatabaseIsNamed(String initialize, CapturedOutput output) {
		this.application.with("outbox.jdbc.initialize-schema", initialize)
			.with("spring.datasource.url", url((name) -> "nowhere"));
		assertDatabaseRefuses(initialize, output, "/nowhere (user '", "nowhere'");
	}

	@Test
	@RequiresMySql
	void aPasswordInTheUrlIsNotShown(CapturedOutput output) {
		this.application
			.with("spring.datasource.url", url(UnaryOperator.identity()) + "&password=" + SECRET + "&user=clerk")
			.with("spring.datasource.username", "")
			.with("spring.datasource.password", "")
			.with("logging.level.com.zaxxer.hikari", "off");
		assertThatException().isThrownBy(() -> this.application.start().close());
		assertThat(output).contains("refuses the connection").doesNotContain(SECRET);
	}

	private void prepare(String initialize) {
		this.application.with("outbox.jdbc.initialize-schema", initialize);
	}

	private void assertDatabaseRefuses(String initialize, CapturedOutput output, String... texts) {
		this.application.with("spring.datasource.hikari.connection-timeout", "1000");
		if ("always".equals(initialize)) {
			assertThatException().isThrownBy(() -> this.application.start().close());
			assertThat(output).contains("The tables of the outbox could not be created: the database jdbc:mysql://")
				.contains("spring.datasource.username and spring.datasource.password");
		}
		else {
			try (OutboxApplication running = this.application.start()) {
				assertThat(output)
					.contains("The tables of the outbox could not be checked: the database jdbc:mysql://");
				Awaitility.await()
					.untilAsserted(() -> assertThat(output).contains("The relay cannot work: ")
						.contains("refuses the connection"));
				assertThat(running.context().isRunning()).isTrue();
			}
		}
		assertThat(output).contains("refuses the connection")
			.contains(texts)
			.doesNotContain("cannot be reached", SECRET, "createDatabaseIfNotExist");
	}

	private void assertBrokerRefuses(CapturedOutput output, String broker, String reason) {
		assertRelaySays(output, "RabbitMQ at " + broker + " refuses the connection: ", reason);
		assertThat(output).doesNotContain("cannot be reached", ".. Check");
	}

	private void assertRelaySays(CapturedOutput output, String... texts) {
		try (OutboxApplication running = this.application.start()) {
			running.publish(new OrderPlaced("a", 1));
			Awaitility.await()
				.untilAsserted(() -> assertThat(output).contains("The relay cannot work: ").contains(texts));
		}
		assertThat(output).doesNotContain(SECRET);
	}

	private static String broker(String user, String virtualHost) {
		return "%s:%d (user '%s', virtual host '%s')".formatted(Servers.broker().host(), Servers.broker().port(), user,
				virtualHost);
	}

	private static int port(String jdbcUrl) {
		return java.net.URI.create(jdbcUrl.substring("jdbc:".length())).getPort();
	}

	// Without what makes the driver create the database
	private String url(UnaryOperator<String> name) {
		java.net.URI uri = java.net.URI.create(this.database.jdbcUrl().substring("jdbc:".length()));
		return "jdbc:mysql://%s/%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(uri.getAuthority(),
				name.apply(uri.getPath().substring(1)));
	}

}
