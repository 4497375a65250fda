/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import java.util.Map;

import com.zaxxer.hikari.HikariConfig;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.autoconfigure.diagnostics.BoundProperties;
import io.orderedoutbox.autoconfigure.diagnostics.KnownProperties;
import io.orderedoutbox.autoconfigure.diagnostics.UnknownPropertyCheck;
import io.orderedoutbox.testing.ShopProperties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Properties that the outbox does not read.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertyTests {

	private static final KnownProperties KNOWN = KnownProperties.read("outbox",
			UnknownPropertyTests.class.getClassLoader());

	private static final String WARNING = "The outbox does not read";

	private final StandardEnvironment environment = new StandardEnvironment();

	private final AnnotationConfigApplicationContext beans = new AnnotationConfigApplicationContext();

	@AfterEach
	void close() {
		this.beans.close();
	}

	@ParameterizedTest
	@CsvSource({ "outbox.orderd, outbox.ordered", "outbox.rely.workers, outbox.relay.workers",
			"outbox.relay.batchsize2, outbox.relay.batch-size", "outbox.relay.pool-sise, outbox.relay.pool-size",
			"outbox.retry.max-atempts, outbox.retry.max-attempts", "outbox.rabbit.exchnge, outbox.rabbit.exchange",
			"outbox.routes[a].exchange, outbox.rabbit.exchange",
			"outbox.monitor.alowed-hosts[0], outbox.monitor.allowed-hosts", "outbox, outbox.enabled",
			"outbox.archive, outbox.archive.enabled", "outbox.terminal, outbox.terminal.enabled" })
	void aMisspeltOneIsNamedWithTheNearest(String name, String nearest, CapturedOutput output) {
		check(name);
		assertThat(output).contains("WARN", WARNING + " the property '" + name + "' (", "Was '" + nearest + "' meant?");
	}

	@ParameterizedTest
	@CsvSource({ "outbox.rabbit.routes[order.placed].exchnage, outbox.rabbit.routes[order.placed].exchange",
			"outbox.rabbit.routes[order.placed].key, outbox.rabbit.routes[order.placed].routing-key",
			"outbox.rabbit.routes[order.placed].routing, outbox.rabbit.routes[order.placed].routing-key",
			"outbox.rabbit.routes[order.placed].routing-keys, outbox.rabbit.routes[order.placed].routing-key",
			"outbox.rabbit.routes.order.exchanges, outbox.rabbit.routes.order.exchange",
			"outbox.rabbit.routes.order.rooting-key, outbox.rabbit.routes.order.routing-key" })
	void aMisspeltOneOfARouteIsNamedWithTheNearest(String name, String nearest, CapturedOutput output) {
		check(name);
		assertThat(output).contains("WARN", WARNING + " the property '" + name + "' (", "Was '" + nearest + "' meant?");
	}

	@Test
	void oneOfARouteThatIsLikeNoneIsNamedWithThoseThatThereAre(CapturedOutput output) {
		check("outbox.rabbit.routes[order.placed].queue");
		assertThat(output).contains(WARNING + " the property 'outbox.rabbit.routes[order.placed].queue'",
				"A route has only these: exchange, routing-key");
	}

	@ParameterizedTest
	@CsvSource({ "outbox.rabbit.exchange.name, outbox.rabbit.exchange", "outbox.ordered.enabled, outbox.ordered",
			"outbox.enabled.value, outbox.enabled", "outbox.relay.mode.once, outbox.relay.mode",
			"outbox.relay.mode.once.limit, outbox.relay.mode", "outbox.relay.workers[0], outbox.relay.workers",
			"outbox.retry.max-interval.seconds, outbox.retry.max-interval", "outbox.jdbc.schema[0], outbox.jdbc.schema",
			"outbox.jdbc.initialize-schema.mode, outbox.jdbc.initialize-schema",
			"outbox.monitor.allowed-hosts.first, outbox.monitor.allowed-hosts",
			"outbox.rabbit.routes[order.placed].exchange.name, outbox.rabbit.routes[order.placed].exchange",
			"outbox.rabbit.routes.order.routing-key[0], outbox.rabbit.routes.order.routing-key" })
	void oneBelowASingleValueIsNamed(String name, String value, CapturedOutput output) {
		check(name);
		assertThat(output).contains("WARN", WARNING + " the property '" + name + "' (", "Was '" + value + "' meant?");
	}

	@Test
	void oneThatIsLikeNoneIsNamed(CapturedOutput output) {
		check("outbox.colour-of-the-page-in-the-evening");
		assertThat(output).contains(WARNING + " the property 'outbox.colour-of-the-page-in-the-evening'")
			.contains("docs/properties.md")
			.doesNotContain("meant?");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "outbox.ordered", "outbox.relay.workers", "outbox.relay.batchSize", "outbox.RELAY.batch_size",
					"outbox.rabbit.routes[order.placed].exchange", "outbox.rabbit.routes.order.routing-key",
					"outbox.rabbit.routes[order.placed].routingKey", "outbox.rabbit.routes.order.ROUTING_KEY",
					"outbox.rabbit.routes", "outbox.monitor.allowed-hosts[0]", "outbox.monitor.allowedHosts[12]",
					"outbox.monitor.allowed-hosts", "outbox.jdbc.initialize-schema", "outboxes.a", "other.outbox" })
	void othersAreNot(String name, CapturedOutput output) {
		check(name);
		assertThat(output).doesNotContain(WARNING);
	}

	// All that was below it in YAML is commented out
	@ParameterizedTest
	@ValueSource(strings = { "outbox", "outbox.relay", "outbox.relay.once", "outbox.rabbit.routes",
			"outbox.rabbit.routes.order" })
	void anEmptyGroupIsNot(String name, CapturedOutput output) {
		check(name, "");
		assertThat(output).doesNotContain(WARNING);
	}

	@ParameterizedTest
	@CsvSource({ "OUTBOX_ORDERD, OUTBOX_ORDERED", "OUTBOX_ENABLE, OUTBOX_ENABLED", "outbox_orderd, OUTBOX_ORDERED",
			"outbox.orderd, OUTBOX_ORDERED", "OUTBOX_RELAYMODE, OUTBOX_RELAY_MODE",
			"OUTBOX_REALY_MODE, OUTBOX_RELAY_MODE", "OUTBOX_RELAY_POOL_SISE, OUTBOX_RELAY_POOL_SIZE",
			"OUTBOX_RELAY_POOLSISE, OUTBOX_RELAY_POOLSIZE", "OUTBOX_RETRY_MAXATEMPTS, OUTBOX_RETRY_MAXATTEMPTS",
			"OUTBOX_HEALTH_BLOCKEDKEYS_THRESHOLD, OUTBOX_HEALTH_BLOCKEDKEYSTHRESHOLD",
			"OUTBOX_RABBIT_EXCHNAGE, OUTBOX_RABBIT_EXCHANGE",
			"OUTBOX_RABBIT_ROUTES_ORDER_EXCHNAGE, OUTBOX_RABBIT_ROUTES_ORDER_EXCHANGE",
			"OUTBOX_RABBIT_ROUTES_ORDER_ROUTING_KEI, OUTBOX_RABBIT_ROUTES_ORDER_ROUTING_KEY",
			"OUTBOX_RABBIT_ROUTES_ORDER_ROUTINGKEYS, OUTBOX_RABBIT_ROUTES_ORDER_ROUTINGKEY" })
	void aMisspeltVariableOfTheEnvironmentIsNamedWithTheNearest(String name, String nearest, CapturedOutput output) {
		checkVariable(name);
		assertThat(output).contains("WARN", WARNING + " the variable " + name + " of the environment.",
				"Was " + nearest + " meant?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "OUTBOX_MYSQL_URL", "OUTBOX_TEST_SERVERS", "OUTBOX_RABBITMQ_HOST", "OUTBOX_RABBITMQ_PORT",
			"OUTBOX_PORT", "OUTBOX_SERVICE_HOST", "OUTBOX_PORT_8080_TCP_ADDR", "OUTBOX_RELAY_PORT",
			"OUTBOX_RELAY_SERVICE_PORT", "OUTBOX_MONITOR_PORT", "OUTBOX_HOME", "OUTBOX", "OUTBOX_", "ORDERD",
			"MY_OUTBOX_ORDERD", "OUTBOX_ORDERED", "outbox_ordered", "outbox.ordered", "OUTBOX_RELAY_POOLSIZE",
			"OUTBOX_RELAY_POOL_SIZE", "outbox.relay.pool-size", "OUTBOX_HEALTH_BLOCKEDKEYSTHRESHOLD",
			"OUTBOX_MONITOR_ALLOWEDHOSTS", "OUTBOX_MONITOR_ALLOWEDHOSTS_0", "OUTBOX_MONITOR_ALLOWED_HOSTS_0_",
			"OUTBOX_RABBIT_ROUTES_ORDER_EXCHANGE", "OUTBOX_RABBIT_ROUTES_ORDER_ROUTINGKEY",
			"OUTBOX_RABBIT_ROUTES_ORDER_ROUTING_KEY", "OUTBOX_RABBIT_ROUTES_FILE", "OUTBOX_RABBIT_ROUTES" })
	void otherVariablesOfTheEnvironmentAreNot(String name, CapturedOutput output) {
		checkVariable(name);
		assertThat(output).doesNotContain(WARNING);
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.topic", "outbox.TOPIC", "outbox.retry-count", "outbox.retryCount", "outbox.import",
			"outbox.region.name", "outbox.region.currency.code", "outbox.shops", "outbox.shops[0]",
			"outbox.regions.north.name", "outbox.relay.station", "outbox.shop.jdbc-url",
			"outbox.shop.maximum-pool-size", "outbox.shop.data-source-properties.cache", "outbox.relay.shop.url" })
	void whatAnotherBeanBindsIsNot(String name, CapturedOutput output) {
		this.beans.register(OfTheShop.class);
		check(name);
		assertThat(output).doesNotContain(WARNING);
	}

	@ParameterizedTest
	@ValueSource(strings = { "outbox.topics", "outbox.topic.name", "outbox.source", "outbox.region.colour",
			"outbox.region.currency.code.iso", "outbox.relay.mode.station", "outbox.relay.stations",
			"outbox.shop.colour", "outbox.relay.wrokers", "outbox.rabbit.routes[order.placed].topic" })
	void whatNoBeanBindsIsNamedAlsoBesideOthers(String name, CapturedOutput output) {
		this.beans.register(OfTheShop.class);
		check(name);
		assertThat(output).contains(WARNING + " the property '" + name + "'");
	}

	@Test
	void theApplicationIsAsked(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class, OutboxAutoConfiguration.class))
			.withBean(OutboxPropertiesTests.UnreachableDataSource.class)
			.withUserConfiguration(OfTheShop.class)
			.withPropertyValues("outbox.topic=orders", "outbox.topics=orders", "outbox.shop.jdbc-url=x")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines()).filteredOn((line) -> line.contains(WARNING))
			.singleElement()
			.asString()
			.contains("'outbox.topics'");
	}

	@Test
	void whatABeanOfTheParentBindsIsNot(CapturedOutput output) {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(OfTheShop.class)) {
			this.beans.setParent(parent);
			check("outbox.topic");
			check("outbox.shop.jdbc-url");
			assertThat(output).doesNotContain(WARNING);
		}
	}

	@Test
	void aVariableThatAnotherBeanBindsIsNot(CapturedOutput output) {
		this.beans.register(OfTheShop.class);
		checkVariable("OUTBOX_ORDERER");
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void noBeanIsCreatedToFindOutWhatItBinds(CapturedOutput output) {
		this.beans.register(OfTheShop.class);
		check("outbox.topic");
		assertThat(output).doesNotContain(WARNING);
		assertThat(this.beans.getBeanFactory().containsSingleton("lazy")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "order.placed", "shop.order.placed", "order.exchange", "order.routing-key.changed" })
	void aRouteWithoutBracketsIsRefused(String message) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> check("outbox.rabbit.routes." + message + ".routing-key"))
			.withMessageContaining("outbox.rabbit.routes." + message + ".routing-key")
			.satisfies((refusal) -> assertThat(refusal.getRemedy())
				.contains("outbox.rabbit.routes[" + message + "].routing-key"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "order.placed.exchnage", "order.placed.key" })
	void aMisspeltRouteWithoutBracketsIsRefusedToo(String route) {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> check("outbox.rabbit.routes." + route))
			.satisfies((refusal) -> assertThat(refusal.getRemedy()).contains("outbox.rabbit.routes[order.placed]."));
	}

	private void check(String name) {
		check(name, "1");
	}

	private void check(String name, String value) {
		check(new MapPropertySource("file", Map.of(name, value)));
	}

	private void checkVariable(String name) {
		check(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, "1")));
	}

	private void check(PropertySource<?> source) {
		this.environment.getPropertySources().addFirst(source);
		if (!this.beans.isActive()) {
			this.beans.refresh();
		}
		new UnknownPropertyCheck(this.environment, KNOWN, new BoundProperties(this.beans.getBeanFactory()),
				(name) -> name)
			.afterSingletonsInstantiated();
	}

	@Configuration(proxyBeanMethods = false)
	static class OfTheShop {

		@Bean
		@Lazy
		ShopProperties lazy() {
			throw new IllegalStateException("Nobody needs it");
		}

		// Another's class, with setters
		@Bean
		@Lazy
		@ConfigurationProperties("outbox.shop")
		HikariConfig pool() {
			throw new IllegalStateException("Nobody needs it");
		}

		@Bean
		@Lazy
		@ConfigurationProperties("outbox.relay.shop")
		DataSourceProperties ofRelay() {
			throw new IllegalStateException("Nobody needs it");
		}

	}

}
