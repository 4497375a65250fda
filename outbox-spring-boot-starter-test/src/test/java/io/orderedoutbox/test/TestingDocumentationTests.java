/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Java of docs/testing.md compiles, beside the application that its reader has.
 */
@Tag("unit")
class TestingDocumentationTests {

	private static final Pattern BLOCKS = Pattern.compile("(?ms)^```java\\n(.*?)^```$");

	private static final String APPLICATION = """
			import io.orderedoutbox.*;
			import io.orderedoutbox.test.*;
			import io.orderedoutbox.test.AutoConfigureOutboxTest.Part;
			import java.time.Duration;
			import java.util.UUID;
			import org.junit.jupiter.api.Test;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.context.annotation.Import;
			import org.springframework.core.io.ClassPathResource;
			import org.springframework.modulith.test.*;
			import org.springframework.transaction.annotation.Transactional;
			import org.testcontainers.junit.jupiter.*;
			import org.testcontainers.mysql.MySQLContainer;
			import org.testcontainers.rabbitmq.RabbitMQContainer;
			import static org.assertj.core.api.Assertions.*;

			interface OrderEvent { }
			record OrderPlaced(@PartitionKey UUID orderId, String customer) implements OrderEvent { }
			record OrderShipped(@PartitionKey UUID orderId) implements OrderEvent { }
			record OrderCancelled(@PartitionKey UUID orderId) implements OrderEvent { }
			record PaymentReminder(@PartitionKey UUID orderId) { }
			class JacksonConfiguration { }
			interface OrderService {
				UUID place(String customer);
				void ship(UUID orderId);
				void remindTomorrow(UUID orderId);
			}
			""";

	@TempDir
	Path directory;

	@Test
	void javaCompiles() throws IOException {
		String document = Files.readString(Path.of("..", "docs", "testing.md"));
		List<String> blocks = BLOCKS.matcher(document).results().map((MatchResult block) -> block.group(1)).toList();
		assertThat(blocks).hasSizeGreaterThan(5);
		assertThat(compile(APPLICATION + blocks.stream().collect(Collectors.joining("\n")))).isEmpty();
	}

	private String compile(String source) throws IOException {
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		StringWriter messages = new StringWriter();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///Snippets.java"),
				JavaFileObject.Kind.SOURCE) {

			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}

		};
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
			List<String> options = List.of("-proc:none", "-d", this.directory.toString(), "-cp",
					System.getProperty("java.class.path"));
			boolean compiles = compiler.getTask(messages, files, null, options, null, List.of(file)).call();
			return compiles ? "" : "It does not compile: " + messages;
		}
	}

}
