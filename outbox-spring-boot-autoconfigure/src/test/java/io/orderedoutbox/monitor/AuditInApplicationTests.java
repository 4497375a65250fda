/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import java.time.Instant;
import java.util.List;

import io.orderedoutbox.admin.AuditEntry;
import io.orderedoutbox.admin.AuditTrail;
import io.orderedoutbox.admin.MessageSelection;
import io.orderedoutbox.admin.OperatorAction;
import io.orderedoutbox.admin.OperatorIdentity;
import io.orderedoutbox.admin.OutboxAdministration;
import io.orderedoutbox.admin.TimeRange;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The history of an application, and who has changed it, by its endpoint.
 */
class AuditInApplicationTests {

	@Test
	void whomSpringSecurityKnowsIsTheOperator() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh()).withoutRelay().start()) {
			OutboxAdministration administration = application.bean(OutboxAdministration.class);
			administration.retry(MessageSelection.key("nobody"));
			SecurityContextHolder.getContext()
				.setAuthentication(UsernamePasswordAuthenticationToken.authenticated("alice", "", List.of()));
			try {
				administration.retry(MessageSelection.key("a"));
			}
			finally {
				SecurityContextHolder.clearContext();
			}
			assertThat(application.bean(AuditTrail.class).list(TimeRange.ALWAYS, Long.MAX_VALUE, 9))
				.extracting(AuditEntry::action)
				.containsExactly(new OperatorAction("alice", "RETRY", "key 'a'", 0, 0, null),
						new OperatorAction(null, "RETRY", "key 'nobody'", 0, 0, null));
		}
	}

	@Test
	void aVerbWhoseOperatorCannotBeToldIsDoneAndRecorded() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with(Unknown.class)
			.start()) {
			application.bean(OutboxAdministration.class).retry(MessageSelection.key("a"));
			assertThat(application.bean(AuditTrail.class).list(TimeRange.ALWAYS, Long.MAX_VALUE, 9))
				.extracting(AuditEntry::action)
				.containsExactly(new OperatorAction(null, "RETRY", "key 'a'", 0, 0, null));
		}
	}

	@Test
	void pausesAreRecordedAndTheTrailIsPaged() {
		try (OutboxApplication application = exposed().with(Known.class).start()) {
			WebClient client = client(application);
			client.post("/pause", "{}");
			client.post("/resume", "{}");
			client.post("/discard", "{\"all\":true,\"dryRun\":true}");
			client.post("/discard", "{\"all\":true}");
			JsonNode page = client.get("/audit?size=2").json();
			assertThat(page.path("items")).extracting((item) -> item.path("verb").asString())
				.containsExactly("DISCARD", "RESUME");
			JsonNode rest = client.get("/audit?size=2&after=" + page.path("next").asString()).json();
			assertThat(rest.path("items")).extracting((item) -> item.path("verb").asString()).containsExactly("PAUSE");
			assertThat(rest.path("items").get(0).path("operator").asString()).isEqualTo("bob");
			assertThat(rest.path("items").get(0).path("selection").asString()).startsWith("instance ");
			assertThat(rest.has("next")).isFalse();
			assertThat(client.get("/audit?from=2100-01-01T00:00:00Z").json().path("items")).isEmpty();
			assertThat(client.get("/audit?size=0").status()).isEqualTo(400);
			assertThat(client.get("/audit?after=x").status()).isEqualTo(400);
		}
	}

	@Test
	void listsAndReplaysAreOfARangeOfTime() {
		try (TestQueue queue = TestQueue.forEverything();
				OutboxApplication application = exposed().sendingTo(queue)
					.with("outbox.archive.enabled", true)
					.start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("a", 2), new OrderPlaced("b", 3));
			queue.await(3);
			application.awaitEmpty();
			application.jdbc()
				.sql("UPDATE outbox_archive SET published_at = '2026-01-02 12:00:00' WHERE partition_key = 'a'")
				.update();
			WebClient client = client(application);
			String noon = "from=2026-01-02T12:00:00Z&until=2026-01-02T12:00:01Z";
			assertThat(client.listed("partitionKey", "state=archived&" + noon)).containsExactly("a", "a");
			assertThat(client.listed("partitionKey", "state=archived&until=2026-01-02T12:00:00Z")).isEmpty();
			assertThat(client.get("/messages?from=noon").json().path("problem").asString())
				.isEqualTo("'from' must be a time such as 2026-11-22T01:02:03Z, but is 'noon'");
			String replay = "{\"from\":\"2026-01-02T12:00:00Z\",\"until\":\"2026-01-02T12:00:01Z\",\"perSecond\":100,\"toExchange\":\"%s\"%s}";
			assertThat(client.post("/replay", replay.formatted(queue.exchange(), ",\"dryRun\":true"))
				.json()
				.path("affected")
				.asInt()).isEqualTo(2);
			assertThat(client.post("/replay", replay.formatted(queue.exchange(), "")).json().path("affected").asInt())
				.isEqualTo(2);
			assertThat(queue.await(5).subList(3, 5)).allSatisfy((arrival) -> assertThat(
					Instant.parse(arrival.properties().getHeaders().get("x-replayed-at").toString()))
				.isAfter(Instant.parse("2026-01-02T12:00:01Z")));
			assertThat(queue.arrivals().subList(3, 5)).extracting((arrival) -> arrival.text())
				.containsExactly("{\"orderId\":\"a\",\"version\":1}", "{\"orderId\":\"a\",\"version\":2}");
			assertThat(client.post("/replay", "{}").status()).as("of what?").isEqualTo(400);
			assertThat(client.post("/replay", "{\"all\":true,\"toRoutingKey\":\"x\"}").status()).isEqualTo(400);
			assertThat(client.post("/retry", "{\"all\":true,\"from\":\"2026-01-02T12:00:00Z\"}").status())
				.isEqualTo(400);
			assertThat(client.post("/retry", "{\"all\":true,\"perSecond\":3}").status()).isEqualTo(400);
		}
	}

	@Test
	void withoutAnArchiveThereIsNoReplay() {
		try (OutboxApplication application = exposed().withoutRelay().start()) {
			assertThat(client(application).post("/replay", "{\"all\":true}").status()).isEqualTo(409);
		}
	}

	private static Builder exposed() {
		return WebClient.served(OutboxApplication.on(Servers.database().fresh()))
			.with("management.endpoints.web.exposure.include", "outbox")
			.with("management.endpoint.outbox.access", "unrestricted");
	}

	private static WebClient client(OutboxApplication application) {
		return WebClient.of(application, "/actuator/outbox");
	}

	@Configuration(proxyBeanMethods = false)
	static class Known {

		@Bean
		OperatorIdentity operatorIdentity() {
			return () -> "bob";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Unknown {

		@Bean
		OperatorIdentity ofARequest() {
			return () -> {
				throw new IllegalStateException("there is no request");
			};
		}

	}

}
