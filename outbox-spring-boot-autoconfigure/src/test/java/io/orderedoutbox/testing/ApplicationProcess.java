/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with the outbox, in ordered mode, in a process of its own.
 */
public final class ApplicationProcess {

	private final Map<String, Object> properties = new LinkedHashMap<>();

	private final Class<?> main;

	public ApplicationProcess(Class<?> main, Database database) {
		this.main = main;
		Broker broker = Servers.broker();
		with("spring.jmx.enabled", "false");
		with("spring.autoconfigure.exclude", OutboxApplication.JPA);
		with("spring.datasource.url", database.jdbcUrl());
		with("spring.datasource.username", database.username());
		with("spring.datasource.password", database.password());
		with("spring.datasource.hikari.connection-timeout", "2000");
		with("spring.rabbitmq.host", broker.host());
		with("spring.rabbitmq.port", broker.port());
		with("spring.rabbitmq.username", broker.username());
		with("spring.rabbitmq.password", broker.password());
		with("outbox.ordered", "true");
	}

	public ApplicationProcess with(String property, Object value) {
		this.properties.put(property, value);
		return this;
	}

	public Ended run() throws IOException, InterruptedException {
		return run((process) -> {
		});
	}

	/**
	 * Run the process, and do something to it meanwhile.
	 */
	public Ended run(Consumer<Process> meanwhile) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), this.main.getName()));
		this.properties.forEach((name, value) -> command.add("--" + name + "=" + value));
		Path output = Files.createTempFile("application", ".out");
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
			.redirectOutput(output.toFile())
			.start();
		try {
			meanwhile.accept(process);
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
			return new Ended(process.exitValue(), Files.readString(output));
		}
		finally {
			process.destroyForcibly();
			Files.delete(output);
		}
	}

	/**
	 * What is left of the process.
	 */
	public record Ended(int exitCode, String output) {

		public List<String> lines() {
			return this.output.lines().toList();
		}

	}

}
