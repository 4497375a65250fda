/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.UUID;

import io.orderedoutbox.HeaderStamp;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * What an operator exports who has the endpoint alone.
 */
@Timeout(90)
class ExportOverHttpTests {

	private static final String ENDPOINT = "/actuator/outbox";

	private final Database database = Servers.database().fresh();

	@Test
	void everyListIsExportedWithItsFilters() {
		try (OutboxApplication application = exposed().start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 1),
					new OrderPlaced("c", 1));
			FailedKey.fail(application.jdbc(), "b", FailedKey.NEVER);
			FailedKey.fail(application.jdbc(), "c", FailedKey.NEVER);
			application.bean(OutboxAdministration.class).skip(MessageSelection.key("c"));
			WebClient client = WebClient.of(application, ENDPOINT);
			assertThat(keys(client, "")).containsExactly("a", "a");
			assertThat(keys(client, "?state=due&limit=1")).containsExactly("a");
			assertThat(keys(client, "?state=blocked")).containsExactly("b");
			assertThat(keys(client, "?state=dead")).containsExactly("c");
			assertThat(keys(client, "?state=dead&key=b")).isEmpty();
			assertThat(keys(client, "?state=dead&name=order.placed")).containsExactly("c");
			assertThat(keys(client, "?state=dead&until=2026-01-01T00:00:00Z")).isEmpty();
			assertThat(keys(client, "?state=dead&from=2026-01-01T00:00:00Z")).containsExactly("c");
		}
	}

	private static List<String> keys(WebClient client, String query) {
		return client.get("/export" + query)
			.body()
			.lines()
			.map(JsonMapper.shared()::readTree)
			.map((line) -> line.path("partitionKey").asString())
			.toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "application/x-ndjson", "*/*", "application/x-ndjson, application/json" })
	void whatIsAcceptedIsSentAndAProblemIsJsonAllTheSame(String accepted) {
		try (OutboxApplication application = exposed().start()) {
			application.publish(new OrderPlaced("a", 1));
			WebClient client = WebClient.of(application, ENDPOINT).with("Accept", accepted);
			Reply export = client.get("/export");
			assertThat(export.status()).isEqualTo(200);
			assertThat(export.header("Content-Type")).isEqualTo("application/x-ndjson");
			assertThat(export.body()).endsWith("}\n");
			Reply problem = client.get("/export?state=odd");
			assertThat(problem.status()).isEqualTo(400);
			assertThat(problem.header("Content-Type")).isEqualTo("application/json");
			assertThat(problem.json().path("problem").asString()).startsWith("'state' must be one of");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			application/x-ndjson                   | application/json
			application/x-ndjson, application/json | application/json
			application/json                       | application/json
			application/x-ndjson, */*              | application/vnd.spring-boot.actuator.v3+json
			application/*                          | application/vnd.spring-boot.actuator.v3+json
			*/*                                    | application/vnd.spring-boot.actuator.v3+json
			""")
	void whatIsNoExportIsNoLines(String accepted, String type) {
		try (OutboxApplication application = exposed().start()) {
			WebClient client = WebClient.of(application, ENDPOINT).with("Accept", accepted);
			Reply messages = client.get("/messages");
			assertThat(messages.status()).isEqualTo(200);
			assertThat(messages.header("Content-Type")).isEqualTo(type);
			assertThat(messages.json().has("items")).isTrue();
			Reply nothing = client.get("/nothing");
			assertThat(nothing.status()).isEqualTo(404);
			assertThat(nothing.header("Content-Type")).isEqualTo(type);
		}
	}

	@Test
	void payloadsAndValuesOfHeadersAreThereOnlyWhereTheyMayBeShown() {
		try (OutboxApplication application = exposed().start();
				OutboxApplication open = exposed().with("outbox.monitor.show-payloads", "true").start()) {
			application.inTransaction(
					(outbox) -> outbox.publish(new OrderPlaced("a", 7), HeaderStamp.of("x-token", "s3cret")));
			Reply masked = WebClient.of(application, ENDPOINT).get("/export");
			assertThat(masked.body()).contains("x-token").doesNotContain("s3cret", "version", "payload");
			JsonNode shown = WebClient.of(open, ENDPOINT).get("/export").json();
			assertThat(shown.path("payload").asString()).isEqualTo("{\"orderId\":\"a\",\"version\":7}");
			assertThat(shown.path("headers").path("x-token").asString()).isEqualTo("s3cret");
		}
	}

	@Test
	void whatWasExportedIsInTheAuditTrail() {
		try (OutboxApplication application = exposed().start()) {
			UUID id = application.publish(new OrderPlaced("a", 1));
			WebClient client = WebClient.of(application, ENDPOINT);
			client.get("/export?state=due&id=" + id);
			JsonNode entry = client.get("/audit").json().path("items").get(0);
			assertThat(entry.path("verb").asString()).isEqualTo("EXPORT");
			assertThat(entry.path("selection").asString())
				.isEqualTo("due messages, message %s, without payloads".formatted(id));
			assertThat(entry.path("affected").asInt()).isOne();
			assertThat(entry.has("error")).isFalse();
		}
	}

	@Test
	void anExportThatFailsInTheMiddleDoesNotLookAsIfItWereWhole() throws Exception {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = exposed().databaseThrough(proxy)
					.with("outbox.monitor.show-payloads", "true")
					.with("spring.datasource.hikari.connection-timeout", "1000")
					.start()) {
			fillWithLargeMessages(application);
			HttpResponse<InputStream> response = ask(application);
			assertThat(response.statusCode()).isEqualTo(200);
			try (InputStream body = response.body()) {
				assertThat(body.read()).isEqualTo('{');
				proxy.stop();
				assertThatIOException().isThrownBy(body::readAllBytes);
			}
			proxy.start();
			Awaitility.await().until(() -> WebClient.of(application, ENDPOINT).get("/export?limit=1").status() == 200);
		}
	}

	@Test
	void aClientThatGoesAwayEndsTheExport() throws Exception {
		try (OutboxApplication application = exposed().with("outbox.monitor.show-payloads", "true").start()) {
			fillWithLargeMessages(application);
			try (InputStream body = ask(application).body()) {
				assertThat(body.read()).isEqualTo('{');
			}
			WebClient client = WebClient.of(application, ENDPOINT);
			Awaitility.await().until(() -> client.get("/audit").json().path("items").size() == 1);
			JsonNode entry = client.get("/audit").json().path("items").get(0);
			assertThat(entry.path("error").asString()).contains("has not read it to its end");
			assertThat(entry.path("affected").asInt()).isBetween(1, 199);
		}
	}

	// More than all buffers between them take
	private static void fillWithLargeMessages(OutboxApplication application) {
		for (int order = 0; order < 200; order++) {
			application.publish(new OrderPlaced("order-" + order, 1));
		}
		String large = Servers.database()
			.choose("REPEAT('x', 500000)", "convert_to(REPEAT('x', 500000), 'UTF8')", "REPEAT('x', 500000)");
		application.jdbc().sql("UPDATE outbox_message SET payload = " + large).update();
	}

	// The body as it comes, to be left in the middle: WebClient reads all of it
	private static HttpResponse<InputStream> ask(OutboxApplication application)
			throws IOException, InterruptedException {
		URI address = URI.create(WebClient.of(application, ENDPOINT).address() + "/export");
		return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofInputStream());
	}

	private Builder exposed() {
		return WebClient.served(OutboxApplication.on(this.database))
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "outbox");
	}

}
