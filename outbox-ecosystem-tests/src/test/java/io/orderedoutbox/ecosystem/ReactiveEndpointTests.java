/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.orderedoutbox.servers.Servers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint on the server of WebFlux, whose threads must not wait for a database.
 */
class ReactiveEndpointTests {

	private static final String OUTBOX = "/actuator/outbox";

	private static final JsonMapper JSON = JsonMapper.shared();

	@AutoClose
	private static Application application;

	private final HttpCalls calls = HttpCalls.to(application);

	private final WatchedDataSource dataSource = (WatchedDataSource) application.bean(DataSource.class);

	@BeforeAll
	static void start() {
		application = Application.with()
			.served()
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted")
			.with("outbox.monitor.show-payloads", "true")
			.with(Watched.class)
			.start();
	}

	@BeforeEach
	void empty() {
		application.jdbc().sql("DELETE FROM outbox_message").update();
		application.jdbc().sql("DELETE FROM outbox_audit").update();
		this.dataSource.users.clear();
	}

	@ParameterizedTest
	@CsvSource({ "'',backlog", "/messages,items", "/groups,items", "/audit,items", "/configuration,outbox.ordered" })
	void whatIsReadIsReadByAThreadThatMayWait(String path, String field) throws Exception {
		HttpResponse<String> reply = this.calls.get(OUTBOX + path);
		assertThat(reply.statusCode()).isEqualTo(200);
		assertThat(type(reply)).isEqualTo("application/vnd.spring-boot.actuator.v3+json");
		assertThat(JSON.readTree(reply.body()).has(field)).as(reply.body()).isTrue();
		assertThat(this.dataSource.users).doesNotContain("may not wait");
	}

	@Test
	void aVerbIsAppliedByAThreadThatMayWaitAndIsOfNobody() throws Exception {
		HttpResponse<String> reply = this.calls.post(OUTBOX + "/retry", "{\"all\":true}");
		assertThat(reply.body()).contains("\"affected\":0");
		assertThat(this.dataSource.users).isNotEmpty().containsOnly("may wait");
		JsonNode entry = entries().get(0);
		assertThat(entry.path("verb").asString()).isEqualTo("RETRY");
		assertThat(entry.has("operator")).isFalse();
	}

	@Test
	void anExportBringsAllLinesInTheOrderOfTheListByThreadsThatMayWait() throws Exception {
		publish(250);
		HttpResponse<String> reply = this.calls.get(OUTBOX + "/export");
		assertThat(reply.statusCode()).isEqualTo(200);
		assertThat(type(reply)).isEqualTo("application/x-ndjson");
		assertThat(reply.body()).endsWith("}\n");
		assertThat(reply.body().lines().map((line) -> JSON.readTree(line).path("partitionKey").asString()))
			.containsExactlyElementsOf(IntStream.range(0, 250).mapToObj((order) -> "ö-" + order).toList());
		assertThat(this.dataSource.users).hasSizeGreaterThan(2).containsOnly("may wait");
	}

	@Test
	void anExportOfNothingIsEmpty() throws Exception {
		HttpResponse<String> reply = this.calls.get(OUTBOX + "/export");
		assertThat(reply.statusCode()).isEqualTo(200);
		assertThat(type(reply)).isEqualTo("application/x-ndjson");
		assertThat(reply.body()).isEmpty();
		assertThat(entries().get(0).path("affected").asInt(-1)).isZero();
	}

	@Test
	void anExportToASlowClientIsReadByThreadsThatMayWait() throws Exception {
		publishLarge(200);
		try (InputStream body = this.calls.get(OUTBOX + "/export", BodyHandlers.ofInputStream()).body()) {
			assertThat(body.read()).isEqualTo('{');
			awaitFullBuffers();
			byte[] rest = body.readAllBytes();
			assertThat(rest).hasSizeGreaterThan(200 * 500_000).endsWith('}', '\n');
		}
		assertThat(this.dataSource.users).hasSizeGreaterThan(20).containsOnly("may wait");
	}

	// Then the server reads nothing more until the client does
	private void awaitFullBuffers() {
		AtomicInteger before = new AtomicInteger();
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.until(() -> before.getAndSet(this.dataSource.users.size()) == this.dataSource.users.size());
		assertThat(this.dataSource.users).hasSizeLessThan(20);
	}

	@Test
	void aClientThatGoesAwayEndsTheExportWhichIsRecordedByAThreadThatMayWait() throws Exception {
		publishLarge(200);
		try (InputStream body = this.calls.get(OUTBOX + "/export", BodyHandlers.ofInputStream()).body()) {
			assertThat(body.read()).isEqualTo('{');
		}
		Awaitility.await().until(() -> entries().size() == 1);
		JsonNode entry = entries().get(0);
		assertThat(entry.path("error").asString()).contains("has not read it to its end");
		assertThat(entry.path("affected").asInt()).isBetween(1, 199);
		assertThat(this.dataSource.users).containsOnly("may wait");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			application/x-ndjson                   | application/json
			application/x-ndjson, application/json | application/json
			application/json                       | application/json
			application/json, application/x-ndjson | application/json
			application/x-ndjson, */*              | application/vnd.spring-boot.actuator.v3+json
			application/*                          | application/vnd.spring-boot.actuator.v3+json
			*/*                                    | application/vnd.spring-boot.actuator.v3+json
			text/html, */*;q=0.8                   | application/vnd.spring-boot.actuator.v3+json
			""")
	void whatIsNoExportIsNoLines(String accepted, String type) throws Exception {
		for (String path : List.of("/messages", "/nothing")) {
			HttpResponse<String> reply = this.calls.with("Accept", accepted).get(OUTBOX + path);
			assertThat(reply.statusCode()).as(path).isEqualTo(path.equals("/messages") ? 200 : 404);
			assertThat(type(reply)).as(path).isEqualTo(type);
			assertThat(JSON.readTree(reply.body()).isObject()).as(path).isTrue();
		}
	}

	private void publish(int messages) {
		application
			.publish(IntStream.range(0, messages).mapToObj((order) -> new OrderChanged("ö-" + order, 1)).toArray());
		this.dataSource.users.clear();
	}

	private void publishLarge(int messages) {
		publish(messages);
		String large = Servers.database()
			.choose("REPEAT('x', 500000)", "convert_to(REPEAT('x', 500000), 'UTF8')", "REPEAT('x', 500000)");
		application.jdbc().sql("UPDATE outbox_message SET payload = " + large).update();
		this.dataSource.users.clear();
	}

	private JsonNode entries() throws Exception {
		return JSON.readTree(this.calls.get(OUTBOX + "/audit").body()).path("items");
	}

	private static String type(HttpResponse<?> reply) {
		return reply.headers().firstValue("Content-Type").orElse("");
	}

	@Configuration(proxyBeanMethods = false)
	static class Watched {

		@Bean
		WatchedDataSource dataSource(Environment environment) {
			return new WatchedDataSource(DataSourceBuilder.create()
				.url(environment.getRequiredProperty("spring.datasource.url"))
				.username(environment.getRequiredProperty("spring.datasource.username"))
				.password(environment.getRequiredProperty("spring.datasource.password"))
				.build());
		}

	}

	/**
	 * Remembers whether those who have taken a connection were allowed to wait for it.
	 */
	static final class WatchedDataSource extends DelegatingDataSource {

		private final List<String> users = new CopyOnWriteArrayList<>();

		private WatchedDataSource(DataSource pool) {
			super(pool);
		}

		@Override
		public Connection getConnection() throws SQLException {
			this.users.add(Schedulers.isInNonBlockingThread() ? "may not wait" : "may wait");
			return super.getConnection();
		}

	}

}
