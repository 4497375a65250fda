/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.terminal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.orderedoutbox.once.HeadlessApplication;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The {@link HeadlessApplication} in a process of its own, started in a terminal, or with
 * its output in a file.
 */
final class WatchedProcess implements AutoCloseable {

	static final int ROWS = 40;

	static final int COLUMNS = 160;

	// What the keyboard sends for it
	private static final int CONTROL_C = 3;

	private final Path output = Files.createTempFile("watched", ".out");

	private final Process process;

	private WatchedProcess(List<String> command) throws IOException {
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
			.redirectOutput(this.output.toFile());
		builder.environment().put("TERM", "xterm-256color");
		builder.environment().put("LC_ALL", "C.UTF-8");
		this.process = builder.start();
	}

	/**
	 * Start it in a pseudo-terminal, which somebody else has to make.
	 */
	static WatchedProcess inATerminal(Database database, TestQueue queue) throws IOException {
		String command = java(database, queue).stream()
			.map((argument) -> "'" + argument + "'")
			.collect(Collectors.joining(" "));
		// A build that a script has started in the background ignores Control-C, and so
		// does all that it starts
		return new WatchedProcess(List.of("script", "-qefc",
				"stty rows %d cols %d && exec env --default-signal=INT %s".formatted(ROWS, COLUMNS, command),
				"/dev/null"));
	}

	static WatchedProcess withoutATerminal(Database database, TestQueue queue) throws IOException {
		return new WatchedProcess(java(database, queue));
	}

	private static List<String> java(Database database, TestQueue queue) {
		Broker broker = Servers.broker();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						HeadlessApplication.class.getName()));
		Stream
			.of("spring.main.banner-mode=off", "spring.jmx.enabled=false",
					"spring.autoconfigure.exclude=" + OutboxApplication.JPA,
					"spring.datasource.url=" + database.jdbcUrl(), "spring.datasource.username=" + database.username(),
					"spring.datasource.password=" + database.password(), "spring.rabbitmq.host=" + broker.host(),
					"spring.rabbitmq.port=" + broker.port(), "spring.rabbitmq.username=" + broker.username(),
					"spring.rabbitmq.password=" + broker.password(), "outbox.ordered=true",
					"outbox.rabbit.exchange=" + queue.exchange(), "outbox.retry.initial-interval=1h",
					"outbox.retry.max-interval=1h", "outbox.monitor.sample-interval=1s", "outbox.terminal.enabled=true")
			.forEach((property) -> command.add("--" + property));
		return command;
	}

	/**
	 * All that it has written so far.
	 */
	String output() {
		try {
			return new String(Files.readAllBytes(this.output), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What somebody sees who has watched until now.
	 */
	EmulatedTerminal screen() {
		EmulatedTerminal terminal = new EmulatedTerminal(ROWS, COLUMNS);
		terminal.write(output());
		return terminal;
	}

	int pressControlC() throws IOException, InterruptedException {
		this.process.getOutputStream().write(CONTROL_C);
		this.process.getOutputStream().flush();
		return awaitEnd();
	}

	int terminate() throws InterruptedException {
		this.process.destroy();
		return awaitEnd();
	}

	private int awaitEnd() throws InterruptedException {
		assertThat(this.process.waitFor(1, TimeUnit.MINUTES)).as("ended").isTrue();
		return this.process.exitValue();
	}

	@Override
	public void close() throws IOException {
		this.process.descendants().forEach(ProcessHandle::destroyForcibly);
		this.process.destroyForcibly();
		Files.delete(this.output);
	}

}
