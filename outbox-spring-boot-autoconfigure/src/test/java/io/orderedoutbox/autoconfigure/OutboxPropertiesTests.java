/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.orderedoutbox.Destination;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.autoconfigure.OutboxProperties.Rabbit.Format;
import io.orderedoutbox.autoconfigure.condition.RelayMode;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay.Once;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay.Once.Output;
import io.orderedoutbox.autoconfigure.inbox.OutboxTypesAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.EffectiveConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxConsoleAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxHealthAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorAutoConfiguration;
import io.orderedoutbox.autoconfigure.monitor.OutboxTerminalAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxKafkaAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxOneShotAutoConfiguration;
import io.orderedoutbox.autoconfigure.relay.OutboxRelayAutoConfiguration;
import io.orderedoutbox.jdbc.JdbcOutboxStore;
import io.orderedoutbox.jdbc.OutboxDatabase;
import io.orderedoutbox.jdbc.claim.JdbcRelayStore;
import io.orderedoutbox.monitor.BacklogSampler;
import io.orderedoutbox.monitor.HealthThresholds.Severity;
import io.orderedoutbox.monitor.OutboxHealthIndicator;
import io.orderedoutbox.monitor.RetentionPurge;
import io.orderedoutbox.monitor.StuckKeysLog;
import io.orderedoutbox.monitor.WorkerHeartbeat;
import io.orderedoutbox.monitor.console.OutboxConsole;
import io.orderedoutbox.once.JsonOutput;
import io.orderedoutbox.once.OneShotOutput;
import io.orderedoutbox.payload.PayloadTransformer.UndoneBy;
import io.orderedoutbox.payload.PayloadTransformers;
import io.orderedoutbox.publish.Publication;
import io.orderedoutbox.publish.RoutingStrategy;
import io.orderedoutbox.relay.OneShotRelay;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.relay.batch.FailurePolicy.OnExhausted;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.terminal.TerminalSummary;
import io.orderedoutbox.testing.OrderPlaced;
import org.assertj.core.util.introspection.PropertyOrFieldSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.LifecycleProcessor;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OutboxProperties} and {@link OutboxJdbcProperties}: their defaults,
 * and for each of them which object it changes.
 */
@Tag("unit")
class OutboxPropertiesTests {

	private static final List<Effect> EFFECTS = List.of(
			new Effect("outbox.enabled", "false", (context) -> context.containsBean("orderedOutbox"), false),
			in(JdbcOutboxStore.class, "ordered", "outbox.ordered", "true", true),
			in(JdbcRelayStore.class, "settings.ordered", "outbox.ordered", "true", true),
			new Effect("outbox.ordered", "true", OutboxPropertiesTests::isKeyRequired, true),
			new Effect("outbox.max-payload-size", "1KB", OutboxPropertiesTests::maxPayloadSize,
					DataSize.ofKilobytes(1)),
			in(OutboxDatabase.class, "partitions.count", "outbox.partitions", "16", 16),
			in(OutboxDatabase.class, "tablePrefix", "outbox.jdbc.table-prefix", "shop_", "shop_"),
			in(JdbcOutboxStore.class, "kept.enabled", "outbox.jdbc.prepare-on-server", "true", true),
			in(OutboxSchemaInitializer.class, "settings.continueOnError", "outbox.jdbc.continue-on-error", "true",
					true),
			new Effect("outbox.relay.mode", "off", (context) -> context.containsBean("orderedOutboxRelay"), false),
			in(OutboxRelay.class, "settings.workers", "outbox.relay.workers", "7", 7),
			new Effect("outbox.relay.pool-size", "3", (context) -> context.containsBean("orderedOutboxRelayDataSource"),
					true),
			in(JdbcRelayStore.class, "settings.batchSize", "outbox.relay.batch-size", "17", 17),
			in(JdbcRelayStore.class, "settings.batchBytes", "outbox.relay.batch-bytes", "1MB", DataSize.ofMegabytes(1)),
			in(OutboxRelay.class, "settings.worker.maxInFlight", "outbox.relay.max-in-flight", "19", 19),
			in(OutboxRelay.class, "settings.worker.pipelinedKeys", "outbox.relay.pipelined-keys", "true", true),
			in(OutboxRelay.class, "settings.worker.pollInterval", "outbox.relay.poll-interval", "3s",
					Duration.ofSeconds(3)),
			in(OutboxRelay.class, "settings.worker.confirmTimeout", "outbox.relay.confirm-timeout", "4s",
					Duration.ofSeconds(4)),
			in(JdbcRelayStore.class, "settings.lockTimeout", "outbox.relay.lock-timeout", "20s",
					Duration.ofSeconds(20)),
			in(OutboxRelay.class, "settings.worker.batchTime", "outbox.relay.batch-time", "100ms",
					Duration.ofMillis(100)),
			in(OutboxRelay.class, "settings.worker.renewInterval", "outbox.relay.batch-time", "100ms",
					Duration.ofMillis(50)),
			in(OutboxRelay.class, "settings.worker.renewInterval", "outbox.relay.batch-time", "1h",
					Duration.ofMillis(7500)),
			in(OutboxRelay.class, "settings.stopTimeout", "outbox.relay.stop-timeout", "0s", Duration.ZERO),
			in(OutboxRelay.class, "settings.worker.retry.backOff.initialInterval", "outbox.retry.initial-interval",
					"2s", Duration.ofSeconds(2)),
			in(OutboxRelay.class, "settings.worker.retry.backOff.multiplier", "outbox.retry.multiplier", "1.5", 1.5),
			in(OutboxRelay.class, "settings.worker.retry.backOff.maxInterval", "outbox.retry.max-interval", "1h",
					Duration.ofHours(1)),
			in(OutboxRelay.class, "settings.worker.retry.backOff.jitter", "outbox.retry.jitter", "0", 0.0),
			in(OutboxRelay.class, "settings.worker.retry.maxAttempts", "outbox.retry.max-attempts", "5", 5),
			in(OutboxRelay.class, "settings.worker.retry.onExhausted", "outbox.retry.on-exhausted", "dead-letter",
					OnExhausted.DEAD_LETTER),
			new Effect("outbox.rabbit.exchange", "events", OutboxPropertiesTests::destination,
					new Destination("events", "order.placed")),
			new Effect("outbox.rabbit.routing-key", "{name}.{partition}", OutboxPropertiesTests::destination,
					new Destination("amq.topic", "order.placed.0")),
			new Effect("outbox.rabbit.routes[order.placed].exchange", "orders", OutboxPropertiesTests::destination,
					new Destination("orders", "order.placed")),
			new Effect("outbox.rabbit.routes[order.placed].routing-key", "placed", OutboxPropertiesTests::destination,
					new Destination("amq.topic", "placed")),
			new Effect("outbox.sender", "kafka", OutboxPropertiesTests::destination, new Destination("outbox", "")),
			new Effect("outbox.senders[order.*]", "kafka", OutboxPropertiesTests::destination,
					new Destination("outbox", "")),
			with("outbox.sender=kafka", "outbox.kafka.topic", "events", OutboxPropertiesTests::destination,
					new Destination("events", "")),
			with("outbox.sender=kafka", "outbox.kafka.topics[order.placed]", "orders",
					OutboxPropertiesTests::destination, new Destination("orders", "")),
			in(BacklogSampler.class, "interval", "outbox.monitor.sample-interval", "20s", Duration.ofSeconds(20)),
			in(WorkerHeartbeat.class, "interval", "outbox.monitor.heartbeat-interval", "20s", Duration.ofSeconds(20)),
			in(StuckKeysLog.class, "interval", "outbox.monitor.summary-interval", "20m", Duration.ofMinutes(20)),
			threshold("lag", "outbox.health.lag-threshold", "2m", Duration.ofMinutes(2)),
			threshold("depth", "outbox.health.depth-threshold", "1000", 1000L),
			threshold("blockedKeys", "outbox.health.blocked-keys-threshold", "3", 3L),
			threshold("stalled", "outbox.health.stalled-threshold", "3m", Duration.ofMinutes(3)),
			threshold("deadLetters", "outbox.health.dead-letters-threshold", "7", 7L),
			threshold("outage", "outbox.health.outage-threshold", "6m", Duration.ofMinutes(6)),
			threshold("severity", "outbox.health.status", "out-of-service", Severity.OUT_OF_SERVICE),
			new Effect("outbox.correlation.create", "true", OutboxPropertiesTests::createsCorrelations, true),
			once("outbox.relay.once.limit", "5", (once) -> field("settings.limit", once.getBean(OneShotRelay.class)),
					5L),
			once("outbox.relay.once.time-limit", "1m",
					(once) -> field("settings.timeLimit", once.getBean(OneShotRelay.class)), Duration.ofMinutes(1)),
			once("outbox.relay.once.output", "json", (once) -> once.getBean(OneShotOutput.class).getClass(),
					JsonOutput.class),
			in(OutboxDatabase.class, "archiving", "outbox.archive.enabled", "true", true),
			new Effect("outbox.archive.enabled", "true", (context) -> context.containsBean("orderedOutboxArchivePurge"),
					true),
			with("outbox.archive.enabled=true", "outbox.archive.retention", "3d",
					(context) -> field("retention", context.getBean("orderedOutboxArchivePurge")), Duration.ofDays(3)),
			new Effect("outbox.dead-letters.retention", "30d",
					(context) -> field("retention", context.getBean("orderedOutboxDeadLetterPurge")),
					Duration.ofDays(30)),
			in(OutboxConsole.class, "showPayloads", "outbox.monitor.show-payloads", "true", true),
			new Effect("outbox.payload.compression.enabled", "true", OutboxPropertiesTests::compresses, true),
			new Effect("outbox.payload.compression.min-size", "5KB", (context) -> gzip(context, "minSize"), 5120L),
			new Effect("outbox.payload.compression.undone-by", "relay", (context) -> gzip(context, "undoneBy"),
					UndoneBy.RELAY),
			new Effect("outbox.payload.compression.max-decompressed-size", "1MB", (context) -> gzip(context, "maxSize"),
					1 << 20),
			new Effect("outbox.terminal.enabled", "true",
					(context) -> context.containsBean("orderedOutboxTerminalSummary"), true));

	private static final Map<Effect, Object> WITHOUT_PROPERTIES = new IdentityHashMap<>();

	private static final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, OutboxPayloadAutoConfiguration.class,
				OutboxAutoConfiguration.class, OutboxRelayAutoConfiguration.class, OutboxMonitorAutoConfiguration.class,
				OutboxHealthAutoConfiguration.class, OutboxOneShotAutoConfiguration.class,
				OutboxConsoleAutoConfiguration.class, OutboxArchiveAutoConfiguration.class,
				OutboxTerminalAutoConfiguration.class, OutboxKafkaAutoConfiguration.class))
		.withBean(DataSource.class, UnreachableDataSource::new)
		.withBean("lifecycleProcessor", LifecycleProcessor.class, NothingStarts::new)
		.withBean("messageSender", MessageSender.class, () -> (work) -> {
		});

	@BeforeAll
	static void readWithoutProperties() {
		runner.run(
				(context) -> EFFECTS.forEach((effect) -> WITHOUT_PROPERTIES.put(effect, effect.read().apply(context))));
	}

	@Test
	void defaults() {
		OutboxProperties properties = bind(Map.of());
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.ordered()).isFalse();
		assertThat(properties.partitions()).isEqualTo(64);
		assertThat(properties.maxPayloadSize()).isEqualTo(DataSize.ofMegabytes(8));
		assertThat(properties.relay())
			.isEqualTo(new OutboxProperties.Relay(RelayMode.CONTINUOUS, 2, null, 2000, DataSize.ofMegabytes(16),
					Duration.ofMillis(250), 500, false, Duration.ofSeconds(1), Duration.ofSeconds(5),
					Duration.ofSeconds(30), Duration.ofSeconds(15), new Once(0, Duration.ZERO, Output.TEXT)));
		assertThat(properties.retry()).isEqualTo(
				new OutboxProperties.Retry(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2, 0, OnExhausted.BLOCK));
		assertThat(properties.rabbit()).isEqualTo(new OutboxProperties.Rabbit("amq.topic", "{name}", Map.of(),
				new OutboxProperties.Rabbit.Headers(false, false, false, false), Format.PLAIN,
				new OutboxProperties.Rabbit.CloudEvents(null)));
	}

	@Test
	void defaultsOfTheTables() {
		OutboxJdbcProperties properties = new OutboxJdbcProperties();
		assertThat(properties.getTablePrefix()).isEqualTo("outbox_");
		assertThat(properties.getInitializeSchema()).isEqualTo(DatabaseInitializationMode.EMBEDDED);
		assertThat(properties.isPrepareOnServer()).isFalse();
		assertThat(properties.isContinueOnError()).isFalse();
		assertThat(properties.getSchema()).isEqualTo("classpath:io/orderedoutbox/jdbc/schema-@@platform@@.sql");
		assertThat(properties.getPlatform()).isNull();
		assertThat(properties.getPrintSchema()).isNull();
	}

	@Test
	void propertiesCanBeWrittenAsDocumentedInTheMetadata() {
		Map<String, String> documented = new HashMap<>();
		ConfigurationMetadataTests.PROPERTIES.forEach((name, property) -> {
			if (property.has("defaultValue") && !name.startsWith("outbox.jdbc.")) {
				documented.put(name, ConfigurationMetadataTests.defaultOf(name));
			}
		});
		assertThat(documented).hasSizeGreaterThan(10);
		assertThat(bind(documented)).isEqualTo(bind(Map.of()));
	}

	@Test
	void yamlMayTurnOffIntoFalse() {
		assertThat(bind(Map.of("outbox.relay.mode", "false")).relay().mode()).isEqualTo(RelayMode.OFF);
		runner.withPropertyValues("outbox.relay.mode=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(OutboxRelay.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.relay.mode=", "outbox.relay.mode=${NOWHERE:}", "outbox.relay.mode=continuous ",
			"outbox.relay.mode= Continuous" })
	void aModeThatIsBoundAsContinuousRelaysAndHasHealth(String mode) {
		runner.withPropertyValues(mode, "outbox.terminal.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OutboxRelay.class)
				.hasSingleBean(OutboxHealthIndicator.class)
				.hasSingleBean(TerminalSummary.class)
				.doesNotHaveBean(OneShotRelay.class));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "outbox.relay.pool-size=", "outbox.relay.pool-size= ", "outbox.relay.pool-size=${NOWHERE:}" })
	void aPoolSizeThatIsLeftOutIsNone(String poolSize) {
		runner.withPropertyValues(poolSize)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("orderedOutboxRelayDataSource"));
	}

	@Test
	void onceThereIsNoRelayThatRunsForEver() {
		runner.withPropertyValues("outbox.relay.mode=once")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(OutboxRelay.class)
				.hasSingleBean(OneShotRelay.class));
		runner
			.run((context) -> assertThat(context).hasSingleBean(OutboxRelay.class).doesNotHaveBean(OneShotRelay.class));
	}

	@Test
	void onlyARelayThatRunsForEverIsShownOnATerminal() {
		ApplicationContextRunner watched = runner.withPropertyValues("outbox.terminal.enabled=true");
		watched.run((context) -> assertThat(context).hasSingleBean(TerminalSummary.class));
		for (String other : List.of("outbox.relay.mode=once", "outbox.relay.mode=off", "outbox.enabled=false")) {
			watched.withPropertyValues(other)
				.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(TerminalSummary.class));
		}
	}

	@Test
	void aClassIsShownByItsName() {
		runner.withConfiguration(AutoConfigurations.of(OutboxTypesAutoConfiguration.class))
			.withPropertyValues("outbox.inbox.types[order.placed]=" + OrderPlaced.class.getName())
			.run((context) -> assertThat(
					EffectiveConfiguration.of(context.getBeanFactory(), context.getBean(OutboxJdbcProperties.class)))
				.containsEntry("outbox.inbox.types[order.placed]", OrderPlaced.class.getName()));
	}

	@Test
	void everyPropertyHasATestBelow() {
		List<String> elsewhere = List.of("outbox.jdbc.initialize-schema", "outbox.jdbc.schema", "outbox.jdbc.platform",
				"management.health.outbox.enabled", "management.endpoint.outbox.access",
				"management.endpoint.outbox.cache.time-to-live", "management.endpoint.orderedoutbox.access",
				"outbox.jdbc.accept-routing", "outbox.jdbc.verify-transaction", "outbox.rabbit.headers.partition",
				"outbox.rabbit.headers.partition-key", "outbox.rabbit.headers.position",
				"outbox.rabbit.headers.published-at", "outbox.rabbit.format", "outbox.rabbit.cloud-events.source",
				"outbox.rabbit.shards.count", "outbox.rabbit.shards.name", "outbox.rabbit.shards.exchange",
				"outbox.rabbit.shards.declare", "outbox.rabbit.shards.concurrency", "outbox.rabbit.shards.order",
				"outbox.rabbit.shards.balance-interval", "outbox.rabbit.shards.retry.initial-interval",
				"outbox.rabbit.shards.retry.multiplier", "outbox.rabbit.shards.retry.max-interval",
				"outbox.rabbit.shards.retry.max-attempts", "outbox.rabbit.shards.retry.on-exhausted", "outbox.named",
				"outbox.jdbc.print-schema", "outbox.inbox.enabled", "outbox.inbox.table", "outbox.capture.retention",
				"outbox.inbox.dead-letter-table", "outbox.inbox.initialize-schema", "outbox.inbox.without-id",
				"outbox.inbox.retention", "outbox.inbox.purge-interval", "outbox.inbox.types",
				"outbox.inbox.type-packages", "outbox.inbox.health-threshold", "management.health.inbox.enabled",
				"management.endpoint.inbox.access", "management.endpoint.inbox.cache.time-to-live",
				"management.endpoint.orderedinbox.access", "outbox.monitor.enabled", "outbox.monitor.path",
				"outbox.monitor.secured", "outbox.monitor.allowed-hosts");
		List<String> tested = EFFECTS.stream().map(Effect::property).toList();
		assertThat(Stream.concat(tested.stream(), elsewhere.stream()).map(OutboxPropertiesTests::withoutKey).distinct())
			.containsExactlyInAnyOrderElementsOf(ConfigurationMetadataTests.PROPERTIES.keySet());
	}

	@ParameterizedTest
	@FieldSource("EFFECTS")
	void propertyChangesTheObjectThatItIsFor(Effect effect) {
		assertThat(WITHOUT_PROPERTIES.get(effect)).isNotNull().isNotEqualTo(effect.expected());
		runner.withPropertyValues(effect.property() + "=" + effect.value()).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(effect.read().apply(context)).isEqualTo(effect.expected());
		});
	}

	private static boolean compresses(AssertableApplicationContext context) {
		return context.getBean(PayloadTransformers.class).encode(new byte[100_000], "1", "order.placed") != null;
	}

	private static Object gzip(AssertableApplicationContext context, String field) {
		Map<?, ?> reading = (Map<?, ?>) field("reading", context.getBean(PayloadTransformers.class));
		return field(field, reading.get("gzip"));
	}

	private static Effect in(Class<?> bean, String field, String property, String value, Object expected) {
		return new Effect(property, value,
				(context) -> PropertyOrFieldSupport.EXTRACTION.getValueOf(field, context.getBean(bean)), expected);
	}

	private static Effect threshold(String field, String property, String value, Object expected) {
		return in(OutboxHealthIndicator.class, "thresholds." + field, property, value, expected);
	}

	private static Effect once(String property, String value, Function<AssertableApplicationContext, Object> read,
			Object expected) {
		return with("outbox.relay.mode=once", property, value, read, expected);
	}

	// In an application that is started with the same property, and with another one
	private static Effect with(String other, String property, String value,
			Function<AssertableApplicationContext, Object> read, Object expected) {
		return new Effect(property, value, (context) -> {
			String given = context.getEnvironment().getProperty(property);
			AtomicReference<Object> found = new AtomicReference<>();
			runner.withPropertyValues(other)
				.withPropertyValues((given != null) ? new String[] { property + "=" + given } : new String[0])
				.run((started) -> found.set(read.apply(started)));
			return found.get();
		}, expected);
	}

	private static Object field(String field, Object bean) {
		return PropertyOrFieldSupport.EXTRACTION.getValueOf(field, bean);
	}

	private static Object isKeyRequired(AssertableApplicationContext context) {
		return List.of(((Advised) context.getBean(Outbox.class)).getAdvisors())
			.stream()
			.filter((advisor) -> advisor.getAdvice().toString().contains("PartitionKeyAspect"))
			.map((advisor) -> PropertyOrFieldSupport.EXTRACTION
				.getValueOf("aspectInstanceFactory.aspectInstance.required", advisor.getAdvice()))
			.findFirst()
			.orElseThrow();
	}

	private static Object maxPayloadSize(AssertableApplicationContext context) {
		Outbox outbox = context.getBean(Outbox.class);
		assertThat(AopUtils.isAopProxy(outbox)).isTrue();
		return PropertyOrFieldSupport.EXTRACTION.getValueOf("outbox.messages.payloads.maxSize",
				AopProxyUtils.getSingletonTarget(outbox));
	}

	private static Object createsCorrelations(AssertableApplicationContext context) {
		Object target = AopProxyUtils.getSingletonTarget(context.getBean(Outbox.class));
		return ((Supplier<?>) field("origin", field("outbox", target))).get() != null;
	}

	private static Object destination(AssertableApplicationContext context) {
		return context.getBean(RoutingStrategy.class)
			.route(new Publication(new UUID(0, 1), "order.placed", new Object(), "", 0, Map.of()))
			.destination();
	}

	private static String withoutKey(String property) {
		return property.replaceFirst("\\[.*", "");
	}

	private static OutboxProperties bind(Map<String, String> properties) {
		return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("outbox",
				OutboxProperties.class);
	}

	record Effect(String property, String value, Function<AssertableApplicationContext, Object> read, Object expected) {

		@Override
		public String toString() {
			return this.property + "=" + this.value;
		}

	}

	static class UnreachableDataSource extends HikariDataSource {

		@Override
		public Connection getConnection() throws SQLException {
			throw new SQLNonTransientConnectionException("No database in this test");
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return getConnection();
		}

	}

	static class NothingStarts implements LifecycleProcessor {

		@Override
		public void onRefresh() {
		}

		@Override
		public void onClose() {
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
