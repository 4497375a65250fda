/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.autoconfigure.monitor.OutboxHealthProperties;
import io.orderedoutbox.autoconfigure.monitor.OutboxMonitorAutoConfiguration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Every value that makes no sense ends the start with a report that names the property
 * and what it may be.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class BadPropertyTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
							outbox.max-payload-size        | 0B        | 'outbox.max-payload-size' must be positive
					outbox.max-payload-size        | -1MB      | 'outbox.max-payload-size' must be positive
					outbox.max-payload-size        | large     | outbox.max-payload-size
					outbox.relay.mode              | sometimes | outbox.relay.mode
					outbox.enabled                 | perhaps   | outbox.enabled
					outbox.enabled                 | ""        | outbox.enabled
					outbox.ordered                 | ""        | outbox.ordered
					outbox.archive.enabled         | ""        | outbox.archive.enabled
					outbox.monitor.enabled         | ""        | outbox.monitor.enabled
					outbox.terminal.enabled        | ""        | outbox.terminal.enabled
					outbox.correlation.create      | ""        | outbox.correlation.create
					outbox.relay.pool-size         | many      | outbox.relay.pool-size
					outbox.relay.workers           | 0         | 'outbox.relay.workers' must be between 1 and 64, but is 0
					outbox.relay.pool-size         | 0         | 'outbox.relay.pool-size' must be positive
					outbox.relay.workers           | 65        | 'outbox.relay.workers' must be between 1 and 64, but is 65
					outbox.relay.workers           | many      | outbox.relay.workers
					outbox.relay.batch-size        | 0         | 'outbox.relay.batch-size' must be between 1 and 10000, but is 0
					outbox.relay.batch-size        | 10001     | 'outbox.relay.batch-size' must be between 1 and 10000, but is 10001
					outbox.relay.batch-bytes       | 0B        | 'outbox.relay.batch-bytes' must be positive
					outbox.partitions              | 0         | 'outbox.partitions' must be between 1 and 1000, but is 0
					outbox.partitions              | 1001      | 'outbox.partitions' must be between 1 and 1000, but is 1001
					outbox.partitions              | some      | outbox.partitions
					outbox.relay.batch-time        | 9ms       | 'outbox.relay.batch-time' must be between 10ms and 1d, but is 9ms
					outbox.relay.batch-time        | -1s       | 'outbox.relay.batch-time' must be between 10ms and 1d, but is -1s
					outbox.relay.max-in-flight     | 0         | 'outbox.relay.max-in-flight' must be between 1 and 10000, but is 0
					outbox.relay.poll-interval     | 0s        | 'outbox.relay.poll-interval' must be between 10ms and 1d, but is
					outbox.relay.poll-interval     | -1s       | 'outbox.relay.poll-interval' must be between 10ms and 1d, but is -1s
					outbox.relay.poll-interval     | 200000d   | 'outbox.relay.poll-interval' must be between 10ms and 1d, but is 200000d
					outbox.relay.poll-interval     | often     | outbox.relay.poll-interval
					outbox.relay.confirm-timeout   | -5s       | 'outbox.relay.confirm-timeout' must be between 100ms and 1d, but is -5s
					outbox.relay.confirm-timeout   | 15001ms   | 'outbox.relay.confirm-timeout' (15s1ms) must be at most half of 'outbox.relay.lock-timeout' (30s)
					outbox.relay.lock-timeout      | 9s        | 'outbox.relay.confirm-timeout' (5s) must be at most half of 'outbox.relay.lock-timeout' (9s)
					outbox.relay.lock-timeout      | 999ms     | 'outbox.relay.lock-timeout' must be between 1s and 1d, but is 999ms
					outbox.relay.stop-timeout      | -1ms      | 'outbox.relay.stop-timeout' must be between 0s and 1d, but is -1ms
					outbox.retry.initial-interval  | 0s        | 'outbox.retry.initial-interval' must be between 1ms and 1d
					outbox.retry.initial-interval  | 2m        | 'outbox.retry.max-interval' (1m) must not be shorter than 'outbox.retry.initial-interval' (2m)
					outbox.retry.multiplier        | 0.5       | 'outbox.retry.multiplier' must be between 1 and 100, but is 0.5
					outbox.retry.multiplier        | NaN       | 'outbox.retry.multiplier' must be between 1 and 100, but is NaN
					outbox.retry.max-interval      | -1m       | 'outbox.retry.max-interval' must be between 1ms and 1d, but is -1m
					outbox.retry.jitter            | 1.5       | 'outbox.retry.jitter' must be between 0 and 1, but is 1.5
					outbox.retry.jitter            | -0.1      | 'outbox.retry.jitter' must be between 0 and 1, but is -0.1
					outbox.retry.max-attempts      | -1        | 'outbox.retry.max-attempts' must be between 0 and 1000000, but is -1
					outbox.retry.max-attempts      | few       | outbox.retry.max-attempts
					outbox.retry.on-exhausted      | drop      | outbox.retry.on-exhausted
					outbox.monitor.sample-interval | 10ms      | 'outbox.monitor.sample-interval' must be 0s or between 1s and 1h, but is 10ms
					outbox.monitor.heartbeat-interval | 2h     | 'outbox.monitor.heartbeat-interval' must be 0s or between 1s and 1h, but is 2h
					outbox.health.lag-threshold    | -1s       | 'outbox.health.lag-threshold' must not be negative
					outbox.health.depth-threshold  | -1        | 'outbox.health.depth-threshold' must not be negative
					outbox.health.blocked-keys-threshold | -1  | 'outbox.health.blocked-keys-threshold' must not be negative
					outbox.health.outage-threshold | -1s       | 'outbox.health.outage-threshold' must not be negative
					outbox.health.stalled-threshold | -1s      | 'outbox.health.stalled-threshold' must not be negative
					outbox.health.dead-letters-threshold | -1  | 'outbox.health.dead-letters-threshold' must not be negative
					outbox.health.status           | sideways  | outbox.health.status
					outbox.monitor.summary-interval | 100ms    | 'outbox.monitor.summary-interval' must be 0s or between 1s and 7d, but is 100ms
					outbox.archive.enabled         | always    | outbox.archive.enabled
					outbox.archive.retention       | 0s        | 'outbox.archive.retention' must be between 1s and 3650d, but is 0s
					outbox.archive.retention       | -7d       | 'outbox.archive.retention' must be between 1s and 3650d, but is -7d
					outbox.archive.retention       | 4000d     | 'outbox.archive.retention' must be between 1s and 3650d, but is 4000d
					outbox.dead-letters.retention  | -7d       | 'outbox.dead-letters.retention' must be 0s or between 1s and 3650d, but is -7d
					outbox.capture.retention       | 59s       | 'outbox.capture.retention' must be 0s or between 1m and 3650d, but is 59s
					outbox.capture.retention       | 1d        | 'outbox.capture.retention' removes messages that the relay of this application has yet to send
					outbox.archive.retention       | week      | outbox.archive.retention
					outbox.monitor.path            | outbox    | 'outbox.monitor.path' must begin with a slash, not end with one
					outbox.monitor.path            | /outbox/  | 'outbox.monitor.path' must begin with a slash, not end with one
					outbox.monitor.path            | /x/**     | 'outbox.monitor.path' must begin with a slash, not end with one
					outbox.monitor.allowed-hosts   | a,http://b | 'outbox.monitor.allowed-hosts' must consist of host names without scheme, port and wildcards, but has 'http://b'
					outbox.monitor.allowed-hosts   | shop:8080 | 'outbox.monitor.allowed-hosts' must consist of host names without scheme, port and wildcards, but has 'shop:8080'
					outbox.monitor.allowed-hosts   | *         | 'outbox.monitor.allowed-hosts' must consist of host names without scheme, port and wildcards, but has '*'
					outbox.jdbc.initialize-schema  | maybe     | outbox.jdbc.initialize-schema
					outbox.jdbc.continue-on-error  | perhaps   | outbox.jdbc.continue-on-error
					outbox.relay.once.limit        | -1        | 'outbox.relay.once.limit' must be between 0 and 1000000000, but is -1
					outbox.relay.once.time-limit   | -1s       | 'outbox.relay.once.time-limit' must be between 0s and 1d, but is -1s
					outbox.terminal.enabled        | perhaps   | outbox.terminal.enabled
					outbox.relay.once.output       | xml       | outbox.relay.once.output
					outbox.jdbc.table-prefix       | x;        | 'outbox.jdbc.table-prefix' must be a letter
					outbox.jdbc.table-prefix       | shop.     | 'outbox.jdbc.table-prefix' must be a letter
					outbox.jdbc.table-prefix       | 1st_      | 'outbox.jdbc.table-prefix' must be a letter
					outbox.jdbc.table-prefix       | ""        | 'outbox.jdbc.table-prefix' must be a letter
					outbox.jdbc.table-prefix       | a2345678901234567890123456789012345678901 | at most 39 letters, digits or underscores
					""")
	void isReported(String property, String value, String expected, CapturedOutput output) {
		SpringApplication application = new SpringApplicationBuilder(OutboxOnly.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.jmx.enabled=false")
			.registerShutdownHook(false)
			.build();
		assertThatException().isThrownBy(() -> application.run("--" + property + "=" + value).close());
		assertThat(output).contains("APPLICATION FAILED TO START", property, expected);
		assertThat(output).doesNotContain("\tat ");
	}

	// Without the relay, of which the health is
	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(OutboxHealthProperties.class)
	static class OutboxHealthBinding {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ JacksonAutoConfiguration.class, OutboxAutoConfiguration.class,
			OutboxArchiveAutoConfiguration.class, OutboxMonitorAutoConfiguration.class, OutboxHealthBinding.class })
	static class OutboxOnly {

		@Bean
		OutboxPropertiesTests.UnreachableDataSource dataSource() {
			return new OutboxPropertiesTests.UnreachableDataSource();
		}

	}

}
