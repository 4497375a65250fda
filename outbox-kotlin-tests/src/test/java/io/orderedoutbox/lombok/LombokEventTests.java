/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.lombok;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.OutboxPublicationException;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.Getter;
import lombok.NonNull;
import lombok.RequiredArgsConstructor;
import lombok.Value;
import lombok.With;
import lombok.experimental.Accessors;
import lombok.experimental.SuperBuilder;
import lombok.extern.jackson.Jacksonized;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Events that are written with Lombok, as they are stored: key and body.
 */
@SpringBootTest(properties = { "outbox.ordered=true", "outbox.relay.mode=off", "outbox.jdbc.initialize-schema=always" })
class LombokEventTests {

	private static final UUID ID = UUID.fromString("0b1c2d3e-0000-7000-8000-000000000001");

	@Autowired
	private ApplicationEventPublisher events;

	@Autowired
	private TransactionTemplate transactions;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private JsonMapper mapper;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry properties) {
		Database database = Servers.database().fresh();
		properties.add("spring.datasource.url", database::jdbcUrl);
		properties.add("spring.datasource.username", database::username);
		properties.add("spring.datasource.password", database::password);
	}

	@AfterEach
	void empty() {
		this.jdbc.sql("DELETE FROM outbox_message").update();
	}

	static Stream<Object> keyed() {
		Bean bean = new Bean();
		bean.setOrderId(ID);
		return Stream.of(new Placed(ID, List.of(new Line("tea", 2))), bean,
				Built.builder().orderId(ID).note("n").build(), new Read(ID), new Base(ID).withNote("n"),
				Derived.builder().orderId(ID).parcel("p").build(), new Required(ID));
	}

	@ParameterizedTest
	@MethodSource("keyed")
	void keyIsFoundAndTheBodyHasTheProperties(Object event) {
		publish(event);
		assertThat(key()).isEqualTo(ID.toString());
		assertThat(this.mapper.readTree(body()).get("orderId").asString()).isEqualTo(ID.toString());
	}

	@Test
	void aBuiltEventIsReadAgainAsItWasWritten() {
		Built event = Built.builder().orderId(ID).note("n").build();
		publish(event);
		assertThat(this.mapper.readValue(body(), Built.class)).isEqualTo(event);
	}

	@Test
	void nothingIsLostInSilenceWithAccessorsThatJacksonDoesNotSee() {
		assertThatExceptionOfType(OutboxPublicationException.class).isThrownBy(() -> publish(new Fluent(ID)))
			.withMessageContaining("getter");
		assertThat(this.jdbc.sql("SELECT COUNT(*) FROM outbox_message").query(Integer.class).single()).isZero();
	}

	private void publish(Object event) {
		this.transactions.executeWithoutResult((status) -> this.events.publishEvent(event));
	}

	private String key() {
		return this.jdbc.sql("SELECT partition_key FROM outbox_message").query(String.class).single();
	}

	private byte[] body() {
		return this.jdbc.sql("SELECT payload FROM outbox_message").query(byte[].class).single();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@Value
	@OutboxMessage("order.placed")
	static class Placed {

		@PartitionKey
		UUID orderId;

		List<Line> lines;

	}

	@Value
	static class Line {

		String product;

		int quantity;

	}

	@Data
	static class Bean {

		@PartitionKey
		private UUID orderId;

	}

	@Value
	@Builder
	@Jacksonized
	static class Built {

		@PartitionKey
		UUID orderId;

		String note;

	}

	@Getter
	@AllArgsConstructor
	static class Read {

		@PartitionKey
		@NonNull
		private final UUID orderId;

	}

	@Getter
	@SuperBuilder
	@AllArgsConstructor
	static class Base {

		@PartitionKey
		private final UUID orderId;

		@With
		private final String note;

		Base(UUID orderId) {
			this(orderId, null);
		}

	}

	@Getter
	@SuperBuilder
	static class Derived extends Base {

		private final String parcel;

	}

	@Getter
	@RequiredArgsConstructor
	static class Required {

		@PartitionKey
		private final UUID orderId;

	}

	@Value
	@Accessors(fluent = true)
	static class Fluent {

		@PartitionKey
		UUID orderId;

	}

}
