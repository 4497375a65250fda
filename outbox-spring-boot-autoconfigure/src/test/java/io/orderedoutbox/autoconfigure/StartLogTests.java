/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an application says of the outbox when it starts.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartLogTests {

	private final OutboxApplication.Builder application = OutboxApplication.on(Servers.database().fresh());

	@ParameterizedTest
	@CsvSource({ "outbox.ordered, true", "outbox.ordered, false", "outbox.relay.mode, continuous",
			"outbox.relay.mode, off", "outbox.enabled, false" })
	void itSaysHowEachSwitchIsSet(String property, String value, CapturedOutput output) {
		this.application.with(property, value).with("spring.main.lazy-initialization", "true").start().close();
		assertThat(output.getOut().lines())
			.filteredOn((line) -> line.contains("INFO") && line.contains("(%s=%s)".formatted(property, value)))
			.hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(nullValues = "none", value = { "2, 2, none, spring.datasource.hikari.maximum-pool-size=3 or more",
			"1, 1, none, outbox.relay.pool-size=2", "2, 10, 2, outbox.relay.pool-size=3 or more" })
	void itWarnsOfAPoolThatTheWorkersCanEmpty(int workers, int size, Integer ofRelay, String remedy,
			CapturedOutput output) {
		with(workers, size, ofRelay).start().close();
		assertThat(output.getOut().lines())
			.filteredOn((line) -> line.contains("WARN") && line.contains("the connection pool has only"))
			.singleElement()
			.asString()
			.contains("The relay has %d workers".formatted(workers), remedy, "or lower outbox.relay.workers");
	}

	@ParameterizedTest
	@CsvSource(nullValues = "none", value = { "2, 3, none", "2, 2, 3" })
	void itDoesNotWarnOfAPoolThatIsLargeEnough(int workers, int size, Integer ofRelay, CapturedOutput output) {
		with(workers, size, ofRelay).start().close();
		assertThat(output).doesNotContain("the connection pool has only");
	}

	@Test
	void itNamesNoPropertyForAPoolOfTheApplicationsOwn(CapturedOutput output) {
		with(2, 10, null).with(SmallPoolOfTheRelay.class).start().close();
		assertThat(output).contains("the connection pool has only 2").doesNotContain("outbox.relay.pool-size");
	}

	@Configuration(proxyBeanMethods = false)
	static class SmallPoolOfTheRelay {

		@Bean(defaultCandidate = false)
		@OutboxRelayDataSource
		HikariDataSource ofRelay(DataSourceProperties properties) {
			HikariDataSource pool = properties.initializeDataSourceBuilder().type(HikariDataSource.class).build();
			pool.setMaximumPoolSize(2);
			return pool;
		}

	}

	@Test
	void itDoesNotWarnOfASmallPoolWhereNothingIsRelayed(CapturedOutput output) {
		with(2, 1, null).withoutRelay().start().close();
		assertThat(output).doesNotContain("the connection pool has only");
	}

	private OutboxApplication.Builder with(int workers, int size, @org.jspecify.annotations.Nullable Integer ofRelay) {
		this.application.with("outbox.relay.workers", workers).with("spring.datasource.hikari.maximum-pool-size", size);
		return (ofRelay != null) ? this.application.with("outbox.relay.pool-size", ofRelay) : this.application;
	}

}
