/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.inbox.monitor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.orderedoutbox.documentation.Dashboard;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OutboxApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metrics of the inbox and of the queues of shards, in applications without an
 * outbox.
 */
@RequiresRabbitMq
@Timeout(90)
class InboxMetricsTests {

	private static final Pattern ROW = Pattern
		.compile("(?m)^\\| `(outbox[^`]+)` \\| `([^`]+)` \\| ([^|]+) \\|([^|]*)\\| ([^|]+) \\|([^|]*)\\|$");

	private static final Pattern NAME = Pattern.compile("`([^`]+)`");

	private ShardedConsumer consumer;

	@BeforeEach
	void connect() throws Exception {
		this.consumer = new ShardedConsumer();
	}

	@AfterEach
	void close() throws Exception {
		this.consumer.close();
	}

	@Test
	void whatWaitsAndWhoConsumesIsShownForEachQueue() throws Exception {
		try (OutboxApplication application = this.consumer.application().start()) {
			this.consumer.publish(0, "m1", "a");
			this.consumer.publish(0, "m2", "a");
			this.consumer.publish(1, "m3", "a");
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.shard.messages", 0) == 2);
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.shard.messages", 1) == 1);
			assertThat(gauge(application, "outbox.inbox.shard.consumers", 0)).isZero();
			try (OutboxApplication another = this.consumer.application().with(ShardedConsumer.Listener.class).start()) {
				assertThat(another.context().isRunning()).isTrue();
				Awaitility.await().until(() -> gauge(application, "outbox.inbox.shard.messages", 0) == 0);
				Awaitility.await().until(() -> gauge(application, "outbox.inbox.shard.consumers", 0) == 1);
			}
		}
	}

	@Test
	void withoutTheBrokerTheyAreNotANumber() {
		try (TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = this.consumer.application().brokerThrough(proxy).start()) {
			Awaitility.await().until(() -> gauge(application, "outbox.inbox.shard.messages", 0) == 0);
			proxy.stop();
			Awaitility.await().until(() -> Double.isNaN(gauge(application, "outbox.inbox.shard.messages", 0)));
			assertThat(gauge(application, "outbox.inbox.shard.consumers", 0)).isNaN();
		}
	}

	@Test
	void whatIsHeldBackIsShown() {
		try (OutboxApplication application = this.consumer.application().start()) {
			assertThat(gauge(application, "outbox.inbox.keys.held", 0)).isZero();
		}
		try (OutboxApplication application = this.consumer.application().with(ShardedConsumer.Retrying.class).start()) {
			assertThat(gauge(application, "outbox.inbox.keys.held", 0)).isEqualTo(3);
			assertThat(gauge(application, "outbox.inbox.messages.held", 0)).isEqualTo(6);
			assertThat(gauge(application, "outbox.inbox.keys.held", 1)).isZero();
			assertThat(application.bean(MeterRegistry.class)
				.get("outbox.inbox.messages.retried")
				.tag("queue", this.consumer.queues().get(0))
				.functionCounter()
				.count()).isEqualTo(8);
			assertThat(application.bean(MeterRegistry.class)
				.get("outbox.inbox.messages.dead.lettered")
				.tag("queue", this.consumer.queues().get(0))
				.functionCounter()
				.count()).isEqualTo(2);
		}
	}

	@Test
	void theDocumentSpeaksOfAllThatThereAreAndOfNoOthers() throws Exception {
		try (OutboxApplication application = withAllMeters()) {
			Map<String, String> registered = new TreeMap<>();
			application.bean(MeterRegistry.class)
				.getMeters()
				.stream()
				.map(Meter::getId)
				.filter((id) -> id.getName().startsWith("outbox."))
				.forEach((id) -> registered.put(id.getName(),
						"%s %s".formatted(id.getType().name().toLowerCase(Locale.ROOT),
								new TreeSet<>(id.getTags().stream().map(Tag::getKey).toList()))));
			String scrape = application.bean(PrometheusMeterRegistry.class).scrape();
			Map<String, String> documented = rows().stream()
				.peek((row) -> assertThat(scrape).contains("\n" + row.group(2) + "{"))
				.collect(Collectors.toMap((row) -> row.group(1),
						(row) -> row.group(3) + " "
								+ NAME.matcher(row.group(4))
									.results()
									.map((name) -> name.group(1))
									.collect(Collectors.toCollection(TreeSet::new))));
			assertThat(documented).isEqualTo(registered);
		}
	}

	@Test
	void theDashboardShowsAllThatThereAreAndNoOthers() throws Exception {
		try (OutboxApplication application = withAllMeters()) {
			String scrape = application.bean(PrometheusMeterRegistry.class).scrape();
			assertThat(Dashboard.ofTheInbox()).allSatisfy((name) -> assertThat(scrape).contains("\n" + name + "{"))
				.containsAll(rows().stream().map((row) -> row.group(2)).toList());
		}
	}

	private OutboxApplication withAllMeters() throws Exception {
		OutboxApplication application = this.consumer.application()
			.with("outbox.rabbit.shards.retry.on-exhausted", "dead-letter-sequence")
			.with(ShardedConsumer.Listener.class, ShardedConsumer.Retrying.class)
			.start();
		this.consumer.publish(0, "m1", "a");
		MeterRegistry registry = application.bean(MeterRegistry.class);
		Awaitility.await().until(() -> registry.find("outbox.inbox.messages").counter() != null);
		return application;
	}

	private static List<MatchResult> rows() throws IOException {
		List<MatchResult> rows = ROW.matcher(Files.readString(Path.of("../docs/consuming.md"))).results().toList();
		assertThat(rows).hasSizeGreaterThan(5);
		return rows;
	}

	private double gauge(OutboxApplication application, String name, int shard) {
		return application.bean(MeterRegistry.class)
			.get(name)
			.tag("queue", this.consumer.queues().get(shard))
			.gauge()
			.value();
	}

}
