/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.orderedoutbox.chaos.fault.DeclaredTopology;
import io.orderedoutbox.chaos.fault.World;
import io.orderedoutbox.chaos.process.ConsumerProcess;
import io.orderedoutbox.chaos.process.JvmProcess;
import io.orderedoutbox.chaos.process.Launch;
import io.orderedoutbox.chaos.process.RelayProcess;
import io.orderedoutbox.chaos.process.Site;
import io.orderedoutbox.chaos.process.WriterProcess;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.chaos.server.DatabaseWords;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A schema, queues, relays, writers and perhaps consumers, all of them new.
 */
final class ChaosWorld implements World, AutoCloseable {

	// They log as an error that a handler fails, that the broker is away at the start,
	// that the answer for a message comes when its channel is closed, that a lost
	// connection cannot be rolled back, and that no heartbeat came while they were frozen
	private static final List<String> QUIET_IN_CONSUMERS = List.of("com.rabbitmq.client.impl.ForgivingExceptionHandler",
			"io.orderedoutbox.inbox", "io.orderedoutbox.autoconfigure.inbox.ShardStart",
			"org.springframework.amqp.rabbit.connection.CachingConnectionFactory",
			"org.springframework.jdbc.support.JdbcTransactionManager");

	private static final Duration TO_CONNECT = Duration.ofSeconds(3);

	private final List<RelayProcess> relays = new ArrayList<>();

	private final List<WriterProcess> writers = new ArrayList<>();

	private final List<ConsumerProcess> consumers = new ArrayList<>();

	private final ControlledServers servers;

	private final ChaosSettings settings;

	private final Site relaySite;

	private final Site consumerSite;

	private final ChaosSchema schema;

	private final DeclaredTopology topology;

	ChaosWorld(ControlledServers servers, ChaosSettings settings, Path directory, DeclaredTopology topology) {
		this.servers = servers;
		this.settings = settings;
		this.schema = ChaosSchema.create(servers, settings);
		this.topology = topology;
		this.relaySite = new Site(directory, servers, this.schema.jdbcUrl(), relayProperties());
		DatabaseWords words = this.schema.words();
		Site writerSite = new Site(directory, servers, this.schema.jdbcUrl()
				+ words.limits(TO_CONNECT, Duration.ofSeconds(20)) + words.lockWait(Duration.ofSeconds(5)),
				writerProperties());
		this.consumerSite = new Site(directory, servers,
				this.schema.jdbcUrl() + words.limits(TO_CONNECT, Duration.ofSeconds(10)), consumerProperties());
		IntStream.rangeClosed(1, settings.relays())
			.forEach((number) -> this.relays.add(new RelayProcess("relay-" + number, this.relaySite)));
		IntStream.rangeClosed(1, settings.writers())
			.forEach((number) -> this.writers.add(new WriterProcess("writer-" + number, writerSite)));
		IntStream.rangeClosed(1, settings.consumers())
			.forEach((number) -> this.consumers.add(newConsumer("consumer-" + number)));
	}

	private Map<String, String> commonProperties() {
		Map<String, String> properties = new LinkedHashMap<>();
		properties.put("spring.main.banner-mode", "off");
		properties.put("spring.main.log-startup-info", "false");
		properties.put("spring.datasource.hikari.connection-timeout", "3000");
		properties.put("logging.level.root", "WARN");
		properties.put("logging.pattern.console", "%d{HH:mm:ss.SSS} %5p %c{0} %m%n%ex");
		properties.put("outbox.ordered", String.valueOf(this.settings.ordered()));
		properties.put("outbox.jdbc.initialize-schema", "always");
		properties.put("outbox.rabbit.exchange", this.topology.exchanges().get(0));
		if (this.settings.consumed()) {
			properties.put("outbox.rabbit.routing-key", "{partition}");
			properties.put("outbox.rabbit.headers.partition-key", "true");
		}
		else {
			properties.put("outbox.rabbit.routes[chaos.flaky].exchange", this.topology.exchanges().get(1));
		}
		properties.putAll(this.topology.properties());
		return properties;
	}

	private Map<String, String> relayProperties() {
		Map<String, String> properties = commonProperties();
		properties.put("logging.level.io.orderedoutbox", "INFO");
		properties.put("spring.datasource.hikari.maximum-pool-size", String.valueOf(ChaosSettings.WORKERS + 1));
		properties.put("outbox.relay.workers", String.valueOf(ChaosSettings.WORKERS));
		properties.put("outbox.relay.batch-size", String.valueOf(ChaosSettings.BATCH_SIZE));
		properties.put("outbox.relay.poll-interval", "100ms");
		properties.put("outbox.relay.confirm-timeout", millis(ChaosSettings.CONFIRM_TIMEOUT));
		properties.put("outbox.relay.lock-timeout", millis(ChaosSettings.LOCK_TIMEOUT));
		properties.put("outbox.retry.initial-interval", "100ms");
		properties.put("outbox.retry.max-interval", "1s");
		return properties;
	}

	private Map<String, String> writerProperties() {
		Map<String, String> properties = commonProperties();
		properties.put("outbox.relay.mode", "off");
		properties.put("spring.datasource.hikari.auto-commit", "false");
		properties.put("spring.datasource.hikari.maximum-pool-size", String.valueOf(ChaosSettings.THREADS + 1));
		// They log as an error that a lost connection cannot be rolled back
		properties.put("logging.level.org.springframework.transaction.support.TransactionTemplate", "OFF");
		properties.put("logging.level.org.springframework.jdbc.support.JdbcTransactionManager", "OFF");
		properties.put("chaos.seed", String.valueOf(this.settings.seed()));
		properties.put("chaos.threads", String.valueOf(ChaosSettings.THREADS));
		properties.put("chaos.keys", String.valueOf(this.settings.keys()));
		return properties;
	}

	private Map<String, String> consumerProperties() {
		Map<String, String> properties = commonProperties();
		properties.keySet().removeIf((name) -> name.startsWith("outbox."));
		properties.put("outbox.enabled", "false");
		properties.put("outbox.inbox.enabled", "true");
		properties.put("outbox.inbox.initialize-schema", "always");
		properties.put("outbox.rabbit.shards.exchange", this.topology.exchanges().get(0));
		properties.put("outbox.rabbit.shards.name", this.topology.queue());
		properties.put("outbox.rabbit.shards.count", String.valueOf(ChaosSettings.SHARDS));
		properties.put("spring.rabbitmq.requested-heartbeat", millis(ChaosSettings.HEARTBEAT));
		// The harder one: keys of a partition are processed side by side
		properties.put("outbox.rabbit.shards.order", "partition-key");
		properties.put("outbox.rabbit.shards.retry.initial-interval", "100ms");
		properties.put("outbox.rabbit.shards.retry.max-interval", "1s");
		properties.put("outbox.rabbit.shards.balance-interval", "2s");
		if (this.settings.hasDeadLetters()) {
			properties.put("outbox.rabbit.shards.retry.max-attempts", "3");
			properties.put("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence");
		}
		QUIET_IN_CONSUMERS.forEach((logger) -> properties.put("logging.level." + logger, "OFF"));
		return properties;
	}

	private static String millis(Duration duration) {
		return duration.toMillis() + "ms";
	}

	/**
	 * Start all processes at once.
	 */
	void start() {
		processes().forEach((process) -> process.start(Launch.ORDINARY));
		processes().forEach(JvmProcess::awaitReady);
	}

	Stream<JvmProcess> processes() {
		return Stream.of(this.relays, this.writers, this.consumers).flatMap(List::stream);
	}

	ChaosSchema tables() {
		return this.schema;
	}

	@Override
	public List<RelayProcess> relays() {
		return List.copyOf(this.relays);
	}

	@Override
	public List<WriterProcess> writers() {
		return List.copyOf(this.writers);
	}

	@Override
	public List<ConsumerProcess> consumers() {
		return List.copyOf(this.consumers);
	}

	@Override
	public ConsumerProcess newConsumer(String name) {
		return new ConsumerProcess(name, this.consumerSite);
	}

	@Override
	public RelayProcess newRelay(String name, String jdbcUrl) {
		return new RelayProcess(name, this.relaySite.withDatabase(jdbcUrl));
	}

	@Override
	public ControlledServers servers() {
		return this.servers;
	}

	@Override
	public DeclaredTopology topology() {
		return this.topology;
	}

	@Override
	public JdbcClient jdbc() {
		return this.schema.jdbc();
	}

	@Override
	public String schema() {
		return this.schema.name();
	}

	@Override
	public DatabaseWords words() {
		return this.schema.words();
	}

	@Override
	public Duration lockTimeout() {
		return ChaosSettings.LOCK_TIMEOUT;
	}

	@Override
	public Duration silenceTimeout() {
		return ChaosSettings.HEARTBEAT.multipliedBy(3);
	}

	@Override
	public Duration confirmTimeout() {
		return ChaosSettings.CONFIRM_TIMEOUT;
	}

	@Override
	public void close() {
		processes().forEach(JvmProcess::close);
		this.topology.close();
		this.schema.drop();
	}

}
