/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Who follows the page for beginners to the letter has an application in which an event
 * arrives. That its files make a project of their own shows
 * {@code scripts/get-started-check}.
 */
@ExtendWith(OutputCaptureExtension.class)
class QuickStartTests {

	private static final String PAGE = "get-started.md";

	// That of the page
	private static final String PACKAGE = "com.example.shop";

	@TempDir
	Path directory;

	@Test
	void theEventOfThePageArrivesAtItsListener(CapturedOutput output) throws Exception {
		assertThat(Snippets.of(PAGE).in(PACKAGE).compile(this.directory)).isEmpty();
		Path yaml = Files.writeString(this.directory.resolve("application.yaml"), block("yaml", "outbox:"));
		Files.writeString(this.directory.resolve("schema.sql"), block("sql", "CREATE TABLE"));
		try (URLClassLoader files = new URLClassLoader(new URL[] { this.directory.toUri().toURL() });
				ConfigurableApplicationContext context = start(files, yaml)) {
			JdbcClient database = context.getBean(JdbcClient.class);
			try {
				String order = database.sql("SELECT id FROM shop_order").query(String.class).single();
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> output.getOut().contains("The order " + order + " was placed"));
				Awaitility.await()
					.atMost(Duration.ofSeconds(30))
					.until(() -> database.sql("SELECT COUNT(*) FROM outbox_message").query(Long.class).single() == 0);
			}
			finally {
				AmqpAdmin broker = context.getBean(AmqpAdmin.class);
				broker.deleteQueue("orders");
				broker.deleteExchange("shop");
			}
		}
	}

	@Test
	void itsPomHasTheVersionOfSpringBootThatTheLibraryIsTestedWith() {
		assertThat(block("xml", "spring-boot-starter-parent"))
			.contains("<version>" + SpringBootVersion.getVersion() + "</version>");
	}

	private static String block(String language, String content) {
		return Documents.blocks(language)
			.stream()
			.filter((block) -> block.document().equals(PAGE) && block.content().contains(content))
			.findFirst()
			.orElseThrow()
			.content();
	}

	// The servers are those of the reader
	private static ConfigurableApplicationContext start(ClassLoader files, Path yaml)
			throws IOException, ClassNotFoundException {
		Database database = Servers.database().fresh();
		Broker broker = Servers.broker();
		return new SpringApplicationBuilder(files.loadClass(PACKAGE + ".ShopApplication"))
			.resourceLoader(new DefaultResourceLoader(files))
			.web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.run("--spring.config.location=" + yaml.toUri(), "--spring.datasource.url=" + database.jdbcUrl(),
					"--spring.datasource.username=" + database.username(),
					"--spring.datasource.password=" + database.password(), "--spring.rabbitmq.host=" + broker.host(),
					"--spring.rabbitmq.port=" + broker.port(), "--spring.rabbitmq.username=" + broker.username(),
					"--spring.rabbitmq.password=" + broker.password(), "--spring.main.banner-mode=off",
					"--spring.flyway.enabled=false", "--spring.liquibase.enabled=false",
					"--spring.autoconfigure.exclude=" + OutboxApplication.JPA);
	}

}
