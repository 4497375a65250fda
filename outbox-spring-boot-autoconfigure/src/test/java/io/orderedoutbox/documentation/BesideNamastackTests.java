/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.time.Clock;
import java.util.Map;

import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The outbox in one application and one database with that of namastack.
 * <p>
 * Beans and endpoint stand for those of namastack 1.8.1: they have the names that they
 * have there. The tables are those of its own script.
 */
@Timeout(120)
class BesideNamastackTests {

	private final MigrationProcedure procedure = MigrationProcedure.of(MigrationProcedure.NAMASTACK, "ordered_outbox_",
			5);

	@BeforeEach
	void createTables() {
		this.procedure.createTablesOf(OtherLibrary.NAMASTACK);
		this.procedure.createOutbox();
	}

	@AfterEach
	void close() {
		this.procedure.close();
	}

	@Test
	void withTheSameTablesTheOutboxDoesNotStart() {
		assertThatExceptionOfType(OutboxConfigurationException.class)
			.isThrownBy(() -> this.procedure.application().with("outbox.jdbc.table-prefix", "outbox_").start())
			.withMessageContaining("belongs to something else")
			.satisfies((ex) -> assertThat(ex.getRemedy()).contains("outbox.jdbc.table-prefix"));
	}

	@Test
	void bothCanBeInOneApplication() {
		try (OutboxApplication application = WebClient.served(this.procedure.application())
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "*")
			.with(Namastack.class)
			.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1));
			assertThat(this.procedure.depth()).isEqualTo(2);
			assertThat(application.context().getBean(ApplicationEventMulticaster.class))
				.isInstanceOf(Multicaster.class);
			assertThat(application.context().getBean("outbox")).isInstanceOf(Outbox.class);
			assertThat(WebClient.of(application, "/actuator/outbox").get("").json().path("mine").asBoolean()).isTrue();
			assertThat(WebClient.of(application, "/actuator/orderedoutbox")
				.get("")
				.json()
				.path("backlog")
				.path("count")
				.asInt()).isEqualTo(2);
		}
	}

	/**
	 * What the other starter brings, by the names that it has there.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Namastack {

		@Bean
		Outbox outbox() {
			return new Outbox();
		}

		@Bean
		OutboxActuatorEndpoint outboxActuatorEndpoint() {
			return new OutboxActuatorEndpoint();
		}

		@Bean
		Multicaster applicationEventMulticaster(BeanFactory beans) {
			return new Multicaster(beans);
		}

		@Bean
		Clock clock() {
			return Clock.systemDefaultZone();
		}

		@Bean
		String outboxPayloadSerializer() {
			return "of namastack";
		}

		@Bean
		String outboxHandlerRegistry() {
			return "of namastack";
		}

		@Bean
		String outboxRecordRepository() {
			return "of namastack";
		}

		@Bean
		String outboxInstanceRepository() {
			return "of namastack";
		}

		@Bean
		String outboxInstanceRegistry() {
			return "of namastack";
		}

		@Bean
		String outboxRetryPolicy() {
			return "of namastack";
		}

		@Bean
		String outboxTransactionTemplate() {
			return "of namastack";
		}

		@Bean
		String outboxJdbcClient() {
			return "of namastack";
		}

	}

	static final class Outbox {

	}

	static final class Multicaster extends SimpleApplicationEventMulticaster {

		Multicaster(BeanFactory beans) {
			super(beans);
		}

	}

	@Endpoint(id = "outbox")
	static class OutboxActuatorEndpoint {

		@ReadOperation
		public Map<String, Boolean> read() {
			return Map.of("mine", true);
		}

	}

}
