/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker, and controller, in a JVM of its own, which can be killed and started
 * again with what it has kept. Its programs are on the class path of this JVM:
 * {@code org.apache.kafka:kafka_2.13}, which {@code spring-kafka-test} brings.
 * <p>
 * It has one node, and creates no topic by itself. All users of a JVM share
 * {@link Servers#kafka()}: give topics names of their own.
 */
public final class EmbeddedKafka implements AutoCloseable {

	private static final String CLUSTER = "b3JkZXJlZC1vdXRib3gtMQ";

	private static final String READY = "Kafka Server started";

	private static final int SECONDS_TO_START = 90;

	private final Path directory;

	private final int port;

	private final int controllerPort;

	private @Nullable Process process;

	private int lives;

	private EmbeddedKafka(Path directory, int port, int controllerPort) {
		this.directory = directory;
		this.port = port;
		this.controllerPort = controllerPort;
	}

	/**
	 * Starts a broker on a free port of the loopback interface, and waits until it
	 * serves.
	 * @return the running broker
	 */
	public static EmbeddedKafka start() {
		try {
			EmbeddedKafka kafka = new EmbeddedKafka(Files.createTempDirectory("outbox-kafka-"), freePort(), freePort());
			kafka.prepare();
			ExitActions.add(kafka::close);
			kafka.restart();
			return kafka;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Kafka cannot use the temporary directory, or has no port", ex);
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private void prepare() throws IOException {
		Files.writeString(this.directory.resolve("server.properties"), """
				process.roles=broker,controller
				node.id=1
				controller.quorum.voters=1@127.0.0.1:%2$d
				controller.listener.names=CONTROLLER
				listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
				log.dirs=%3$s
				auto.create.topics.enable=false
				num.partitions=4
				offsets.topic.num.partitions=1
				offsets.topic.replication.factor=1
				group.initial.rebalance.delay.ms=0
				log.cleaner.dedupe.buffer.size=2097152
				""".formatted(this.port, this.controllerPort, this.directory.resolve("data")));
		Files.writeString(this.directory.resolve("logback.xml"), """
				<configuration>
					<appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
						<encoder><pattern>%d{HH:mm:ss.SSS} %-5level %logger{0} %msg%n</pattern></encoder>
					</appender>
					<logger name="kafka.server.KafkaRaftServer" level="INFO"/>
					<root level="WARN"><appender-ref ref="OUT"/></root>
				</configuration>
				""");
		Process format = run("kafka.tools.StorageTool", "format", "--cluster-id", CLUSTER, "--config", config());
		if (await(format) != 0) {
			throw failed("could not prepare its directory");
		}
	}

	private String config() {
		return this.directory.resolve("server.properties").toString();
	}

	private Process run(String main, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
				"-XX:TieredStopAtLevel=1", "-Dlogback.configurationFile=" + this.directory.resolve("logback.xml"),
				"-cp", System.getProperty("java.class.path"), main));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.to(log().toFile()))
			.start();
	}

	private Path log() {
		return this.directory.resolve("life-" + this.lives + ".log");
	}

	private static int await(Process process) {
		try {
			return process.waitFor(SECONDS_TO_START, TimeUnit.SECONDS) ? process.exitValue() : -1;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the embedded Kafka", ex);
		}
	}

	/**
	 * Starts the broker with what it has kept, unless it runs, and waits until it serves.
	 */
	public synchronized void restart() {
		if (isAlive()) {
			return;
		}
		this.lives++;
		try {
			Process started = run("kafka.Kafka", config());
			this.process = started;
			long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_START);
			while (!Files.readString(log(), StandardCharsets.ISO_8859_1).contains(READY)) {
				if (System.nanoTime() > deadline || started.waitFor(50, TimeUnit.MILLISECONDS)) {
					throw failed("did not start");
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The embedded Kafka could not be started", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the embedded Kafka", ex);
		}
	}

	private IllegalStateException failed(String what) {
		return new IllegalStateException(
				"The embedded Kafka %s: see %s. Its programs must be on the class path".formatted(what, log()));
	}

	/**
	 * Ends the broker at once, without a word to its clients.
	 */
	public synchronized void kill() {
		if (this.process != null) {
			await(this.process.destroyForcibly());
		}
	}

	/**
	 * Returns whether the broker is there, frozen or not.
	 * @return {@code true} if its process has not ended
	 */
	public synchronized boolean isAlive() {
		return this.process != null && this.process.isAlive();
	}

	/**
	 * Returns the process, for example to freeze it.
	 * @return the id of the latest process
	 */
	public synchronized long pid() {
		if (this.process == null) {
			throw new IllegalStateException("The embedded Kafka has never been started");
		}
		return this.process.pid();
	}

	/**
	 * Returns where clients find it.
	 * @return host and port
	 */
	public String bootstrapServers() {
		return "127.0.0.1:" + this.port;
	}

	/**
	 * Ends the broker and removes what it has kept. Happens by itself when the JVM ends.
	 */
	@Override
	public void close() {
		kill();
		try {
			DirectoryTree.delete(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("'" + this.directory + "' could not be removed: remove it by hand", ex);
		}
	}

}
