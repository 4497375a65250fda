/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.inbox.monitor.ShardedConsumer;
import io.orderedoutbox.monitor.console.WebClient.Reply;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.RequiresRabbitMq;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.FailedKey;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * The monitor page as its server hands it out, and whom it refuses.
 */
@Timeout(90)
class MonitorPageTests {

	private final Database database = Servers.database().fresh();

	@Test
	void itIsNotThereUntilItIsSwitchedOn() {
		try (OutboxApplication application = served().start()) {
			assertThat(WebClient.of(application, "/outbox").get("/").status()).isEqualTo(404);
			assertThat(application.context().getBeanNamesForType(MonitorSamplers.class)).isEmpty();
			assertThat(application.context().getBeanFactory().containsSingleton("orderedOutboxConsole")).isFalse();
		}
	}

	@Test
	void anApplicationThatServesNothingStartsAllTheSame() {
		try (OutboxApplication application = OutboxApplication.on(this.database)
			.withoutRelay()
			.with("outbox.monitor.enabled", "true")
			.start()) {
			assertThat(application.context().getBeanNamesForType(MonitorSamplers.class)).isEmpty();
		}
	}

	@Test
	@RequiresRabbitMq
	void theVerbsOfTheInboxAreForThePageAlone() throws Exception {
		try (ShardedConsumer consumer = new ShardedConsumer();
				OutboxApplication application = consumer.application()
					.with("outbox.enabled", true)
					.with("outbox.monitor.enabled", true)
					.withoutRelay()
					.start()) {
			WebClient client = WebClient.of(application, "/outbox/api/inbox");
			String shards = "{\"shards\": \"%s\"}".formatted(consumer.name());
			assertThat(client.post("/replay", shards).status()).isEqualTo(403);
			assertThat(client.post("/discard", shards).status()).isEqualTo(403);
			assertThat(client.asPage().get("/replay").status()).isEqualTo(405);
			assertThat(client.asPage().post("/replay", "[]").status()).isEqualTo(400);
			assertThat(client.asPage().post("/replay", "{}").status()).isEqualTo(400);
			assertThat(client.asPage().post("/dance", shards).status()).isEqualTo(404);
			Reply reply = client.asPage().post("/replay", shards);
			assertThat(reply.status()).isEqualTo(200);
			assertThat(reply.json().path("affected").asInt(-1)).isZero();
		}
		try (OutboxApplication application = enabled().start()) {
			WebClient client = WebClient.of(application, "/outbox/api/inbox").asPage();
			assertThat(client.post("/replay", "{\"shards\": \"billing\"}").status()).isEqualTo(404);
		}
	}

	@Test
	void everyFileIsServedWithWhatKeepsABrowserFromTrustingOthers() {
		try (OutboxApplication application = enabled().start()) {
			WebClient client = WebClient.of(application, "/outbox").asPage();
			assertThat(client.get("").header("Location")).isEqualTo("outbox/");
			for (String file : List.of("/", "/monitor.css", "/monitor.js", "/ages.js", "/api.js", "/audit.js",
					"/chart.js", "/deadletters.js", "/dialogs.js", "/dom.js", "/export.js", "/inbox.js", "/lists.js",
					"/outboxes.js", "/tiles.js", "/workers.js", "/icon.svg", "/api/overview", "/api/audit",
					"/api/export", "/api/groups", "/api/inbox", "/api/inbox/dead-letters", "/api/messages")) {
				Reply reply = client.get(file);
				assertThat(reply.status()).as(file).isEqualTo(200);
				assertThat(reply.header("Content-Security-Policy"))
					.contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
					.doesNotContain("unsafe");
				assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
				assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
			}
			assertThat(client.get("/").header("Content-Type")).startsWith("text/html");
			assertThat(client.get("/api/nothing").status()).isEqualTo(404);
			assertThat(client.get("/secret.txt").status()).isEqualTo(404);
			assertThat(client.get("/package-info.class").status()).isEqualTo(404);
			assertThat(client.get("/..%2Fmonitor.css").status()).isBetween(400, 404);
		}
	}

	@Test
	void aRequestForTheHeadersIsAnsweredAsOneForTheContent() {
		try (OutboxApplication application = enabled().start()) {
			WebClient client = WebClient.of(application, "/outbox").asPage();
			for (String path : List.of("", "/", "/monitor.css", "/lists.js", "/icon.svg", "/api/overview",
					"/api/groups", "/api/export", "/api/export?state=odd", "/api/instances", "/api/configuration",
					"/api/messages", "/api/messages?state=dead", "/api/messages/1", "/secret.txt", "/api/nothing",
					"/api/messages?size=0")) {
				Reply whole = client.get(path);
				Reply head = client.send(HttpMethod.HEAD, path);
				assertThat(head.status()).as(path).isEqualTo(whole.status());
				assertThat(head.body()).as(path).isEmpty();
				for (String header : List.of("Content-Type", "Content-Security-Policy", "Cache-Control", "Location",
						"X-Content-Type-Options")) {
					assertThat(head.header(header)).as("%s of %s", header, path).isEqualTo(whole.header(header));
				}
			}
		}
	}

	@Test
	void whoMayNotAskIsNotToldTheHeadersEither() {
		try (OutboxApplication application = enabled().start()) {
			WebClient client = WebClient.of(application, "/outbox");
			assertThat(client.send(HttpMethod.HEAD, "/api/messages").status()).isEqualTo(403);
			assertThat(client.send(HttpMethod.OPTIONS, "/api/retry").header("Allow")).isEqualTo("POST, OPTIONS");
			assertThat(client
				.send(HttpMethod.OPTIONS, "/api/retry", "Origin", "http://evil.example",
						"Access-Control-Request-Method", "POST")
				.header("Access-Control-Allow-Origin")).isEmpty();
		}
	}

	@Test
	void anotherMethodIsRefusedWithThoseThatThereAre() {
		try (OutboxApplication application = enabled().start()) {
			WebClient client = WebClient.of(application, "/outbox").asPage();
			for (String request : List.of("POST /", "DELETE /monitor.css", "POST /api/overview", "PUT /api/messages",
					"DELETE /api/messages/1", "PATCH /api/groups")) {
				refuses(client, request, "GET, HEAD, OPTIONS");
			}
			for (String request : List.of("GET /api/retry", "HEAD /api/skip", "DELETE /api/pause",
					"PUT /api/discard")) {
				refuses(client, request, "POST, OPTIONS");
			}
			assertThat(client.send(HttpMethod.DELETE, "/nothing").status()).isEqualTo(404);
		}
	}

	private static void refuses(WebClient client, String request, String allowed) {
		String method = request.split(" ")[0];
		String path = request.split(" ")[1];
		Reply refused = client.send(HttpMethod.valueOf(method), path);
		assertThat(refused.status()).as(request).isEqualTo(405);
		assertThat(refused.header("Allow")).as(request).isEqualTo(allowed);
		assertThat(refused.header("X-Content-Type-Options")).as(request).isEqualTo("nosniff");
		if (!method.equals("HEAD")) {
			assertThat(refused.json().path("problem").asString()).contains(method, allowed);
		}
		Reply options = client.send(HttpMethod.OPTIONS, path);
		assertThat(options.status()).as(request).isEqualTo(200);
		assertThat(options.header("Allow")).as(request).isEqualTo(allowed);
	}

	@Test
	void noFileNeedsAnythingFromElsewhereOrRunsWhatIsWrittenInline() throws IOException {
		Path page = new ClassPathResource("page/index.html", MonitorPage.class).getFile().toPath().getParent();
		try (Stream<Path> files = Files.list(page)) {
			for (Path file : files.toList()) {
				String content = Files.readString(file).replace("http://www.w3.org/2000/svg", "");
				assertThat(content).as(file.toString())
					.doesNotContain("http:", "https:", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write",
							"eval(", "new Function", "@import")
					.doesNotContainPattern("\\son[a-z]+=")
					.doesNotContainPattern("<script(?![^>]*\\ssrc=)")
					.doesNotContainPattern("\\sstyle=");
			}
		}
	}

	@Test
	void itCanBeSomewhereElse() {
		try (OutboxApplication application = enabled().with("outbox.monitor.path", "/ops/outbox-page")
			.with("server.servlet.context-path", "/shop")
			.start()) {
			WebClient client = WebClient.of(application, "/shop/ops/outbox-page").asPage();
			assertThat(client.get("").header("Location")).isEqualTo("outbox-page/");
			assertThat(client.get("/").body()).contains("<title>Outbox monitor</title>");
			assertThat(client.get("/api/instances").json()).hasSize(1);
			assertThat(WebClient.of(application, "/shop/outbox").get("/").status()).isEqualTo(404);
		}
	}

	@Test
	void whatItIsToldDoesNotDependOnTheSettingsOfTheApplication() {
		try (OutboxApplication application = enabled().with("spring.jackson.property-naming-strategy", "SNAKE_CASE")
			.start()) {
			application.publish(new OrderPlaced("a", 1));
			WebClient client = WebClient.of(application, "/outbox/api").asPage();
			JsonNode message = client.get("/messages?state=due").json().path("items").get(0);
			assertThat(message.path("partitionKey").asString()).isEqualTo("a");
			assertThat(client.get("/messages?state=odd").status()).isEqualTo(400);
			assertThat(client.get("/messages?size=many").body()).contains("'size' must be a number, but is 'many'");
			assertThat(
					client.get("/messages/" + message.path("messageId").asString()).json().path("encoding").asString())
				.isEqualTo("masked");
			Awaitility.await()
				.until(() -> client.get("/overview").json().path("answer").path("status").asInt(0) == 200);
			JsonNode overview = client.get("/overview").json();
			assertThat(overview.path("answer").path("body").path("backlog").path("count").asInt()).isEqualTo(1);
			assertThat(overview.path("publishedPerMinute")).hasSize(60);
		}
	}

	@Test
	void aPageHasTheSizeThatIsAskedFor() {
		try (OutboxApplication application = enabled().start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			WebClient client = WebClient.of(application, "/outbox/api").asPage();
			JsonNode page = client.get("/messages?size=2").json();
			assertThat(page.path("items")).hasSize(2);
			assertThat(client.get("/messages?size=2&after=" + page.path("next").asString()).json().path("items"))
				.hasSize(1);
			assertThat(client.get("/messages?size=0").status()).isEqualTo(400);
		}
	}

	@Test
	void whatIsListedIsExportedForThePageAlone() {
		try (OutboxApplication application = enabled().start()) {
			application.publish(new OrderPlaced("a", 1), new OrderPlaced("b", 1), new OrderPlaced("c", 1));
			WebClient client = WebClient.of(application, "/outbox/api");
			assertThat(client.get("/export").status()).isEqualTo(403);
			WebClient page = client.asPage();
			assertThat(page.with("Sec-Fetch-Site", "cross-site").get("/export").status()).isEqualTo(403);
			Reply export = page.with("Accept", "application/x-ndjson").get("/export?state=due&limit=2");
			assertThat(export.status()).isEqualTo(200);
			assertThat(export.header("Content-Type")).isEqualTo("application/x-ndjson");
			assertThat(export.header("Content-Disposition")).startsWith("attachment");
			assertThat(export.body().lines()).hasSize(2)
				.allSatisfy((line) -> assertThat(line).doesNotContain("payload"));
			assertThat(page.get("/export?limit=many").body()).contains("'limit' must be a number, but is 'many'");
			assertThat(page.get("/export?limit=0").status()).isEqualTo(400);
			assertThat(page.get("/export?state=archived").status()).isEqualTo(409);
			assertThat(page.send(HttpMethod.HEAD, "/export").status()).isEqualTo(200);
			assertThat(page.get("/audit").json().path("items")).as("not of what was asked for by HEAD, or refused")
				.hasSize(1);
		}
	}

	@Test
	void onlyThePageItselfMayAct() {
		try (OutboxApplication application = enabled().start()) {
			application.publish(new OrderPlaced("a", 1));
			FailedKey.fail(application.jdbc(), "a", FailedKey.NEVER);
			WebClient client = WebClient.of(application, "/outbox/api");
			WebClient page = client.asPage();
			String all = "{\"all\":true}";
			String own = client.address().replaceFirst("/outbox.*", "");
			assertThat(client.post("/retry", all).status()).isEqualTo(403);
			for (String origin : List.of("http://evil.example", "null", "about:blank", "%", own + "0",
					own.replace("http:", "https:"))) {
				assertThat(page.post("/retry", all, "Origin", origin).status()).as(origin).isEqualTo(403);
			}
			for (String site : List.of("cross-site", "same-site")) {
				assertThat(page.post("/retry", all, "Sec-Fetch-Site", site).status()).as(site).isEqualTo(403);
			}
			assertThat(page.post("/retry", MediaType.TEXT_PLAIN, all).status()).isEqualTo(403);
			assertThat(application.count("attempts = 3")).isEqualTo(1);
			for (String body : List.of("[]", "{}", "null", "", "1", "{\"all\":{}}")) {
				assertThat(page.post("/retry", body).status()).as(body).isEqualTo(400);
			}
			assertThat(page.post("/explode", all).status()).isEqualTo(404);
			assertThat(page.post("/pause", "{}").status()).isEqualTo(409);
			assertThat(page.post("/retry", all, "Origin", own, "Sec-Fetch-Site", "same-origin")
				.json()
				.path("affected")
				.asInt()).isEqualTo(1);
			FailedKey.fail(application.jdbc(), "a", FailedKey.NEVER);
			assertThat(page.post("/retry", all, "Origin", own).json().path("affected").asInt()).isEqualTo(1);
		}
	}

	@Test
	void behindAProxyThatIsBelievedThePageComesFromTheProxy() {
		try (OutboxApplication application = enabled().with("server.forward-headers-strategy", "framework")
			.with("outbox.monitor.allowed-hosts", "shop.example")
			.start()) {
			WebClient page = WebClient.of(application, "/outbox/api")
				.asPage()
				.with("X-Forwarded-Host", "shop.example", "X-Forwarded-Proto", "https");
			for (String origin : List.of("https://shop.example", "https://Shop.example:443")) {
				assertThat(page.with("Origin", origin).get("/messages").status()).as(origin).isEqualTo(200);
			}
			for (String origin : List.of("http://shop.example", "https://shop.example:80", "https://evil.example",
					page.address().replaceFirst("/outbox.*", ""))) {
				assertThat(page.with("Origin", origin).get("/messages").status()).as(origin).isEqualTo(403);
			}
		}
	}

	@Test
	void whoMayNotAskIsRefusedBeforeAnythingIsLookedUp() {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = enabled().databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "60000")
					.start()) {
			proxy.stop();
			WebClient client = WebClient.of(application, "/outbox/api");
			WebClient page = client.asPage();
			assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
				// What an image or a script of another site asks for, over plain HTTP
				assertThat(client.get("/messages").status()).isEqualTo(403);
				assertThat(client.get("/overview").status()).isEqualTo(403);
				assertThat(page.with("Sec-Fetch-Site", "cross-site").get("/messages").status()).isEqualTo(403);
				assertThat(page.with("Origin", "http://evil.example").get("/messages/1").status()).isEqualTo(403);
			});
		}
	}

	@Test
	void aForeignNameThatPointsHereIsNoNameOfThePage() {
		try (OutboxApplication application = enabled().start()) {
			WebClient page = WebClient.of(application, "/outbox").asPage();
			for (String host : List.of("localhost:PORT", "LocalHost:PORT", "shop.localhost", "127.0.0.1:PORT",
					"192.168.1.20", "[::1]:PORT")) {
				assertThat(page.statusUnder(host, "/api/messages")).as(host).contains(" 200");
				assertThat(page.statusUnder(host, "/")).as(host).contains(" 200");
			}
			for (String host : List.of("evil.example:PORT", "localhost.evil.example", "127.0.0.1.evil.example",
					"evillocalhost")) {
				assertThat(page.statusUnder(host, "/api/messages")).as(host).contains(" 403");
				assertThat(page.statusUnder(host, "/")).as(host).contains(" 403");
				assertThat(page.statusUnder(host, "")).as(host).contains(" 403");
			}
		}
	}

	@Test
	void aNameThatIsAllowedIsAndAScriptCannotClaimIt() {
		try (OutboxApplication application = enabled().with("outbox.monitor.allowed-hosts", "Shop.example,ops-1")
			.with("server.forward-headers-strategy", "framework")
			.start()) {
			WebClient page = WebClient.of(application, "/outbox").asPage();
			assertThat(page.statusUnder("shop.example:PORT", "/api/messages")).contains(" 200");
			assertThat(page.statusUnder("ops-1", "/api/messages")).contains(" 200");
			assertThat(page.statusUnder("localhost:PORT", "/api/messages")).contains(" 200");
			assertThat(page.statusUnder("evil.example", "/api/messages")).contains(" 403");
			assertThat(page.statusUnder("evil.example", "/api/messages", "X-Forwarded-Host", "shop.example"))
				.contains(" 403");
			assertThat(page.statusUnder("localhost", "/api/messages", "X-Forwarded-Host", "evil.example"))
				.contains(" 403");
		}
	}

	@Test
	void whoSaysWithoutSpringSecurityThatItIsSecuredHasToGiveNames() {
		try (OutboxApplication application = enabled().with("outbox.monitor.secured", "true").start()) {
			assertThat(WebClient.of(application, "/outbox").asPage().statusUnder("shop.example", "/api/messages"))
				.contains(" 403");
		}
		try (OutboxApplication application = enabled().with("outbox.monitor.secured", "true")
			.with("outbox.monitor.allowed-hosts", "shop.example")
			.start()) {
			WebClient page = WebClient.of(application, "/outbox").asPage();
			assertThat(page.statusUnder("shop.example", "/api/messages")).contains(" 200");
			assertThat(page.statusUnder("evil.example", "/api/messages")).contains(" 403");
		}
	}

	@Test
	void whoWatchesDoesNotWaitForADatabaseThatIsAway() {
		try (TcpProxy proxy = TcpProxy.to(this.database);
				OutboxApplication application = enabled().databaseThrough(proxy)
					.with("spring.datasource.hikari.connection-timeout", "2000")
					.start()) {
			WebClient client = WebClient.of(application, "/outbox/api").asPage();
			Awaitility.await()
				.until(() -> client.get("/overview").json().path("answer").path("status").asInt(0) == 200);
			proxy.stop();
			Awaitility.await().until(() -> {
				long start = System.nanoTime();
				JsonNode sample = client.get("/overview").json();
				assertThat(System.nanoTime() - start).isLessThan(1_000_000_000L);
				return sample.path("answer").path("status").asInt(0) == 503;
			});
			proxy.start();
			Awaitility.await()
				.until(() -> client.get("/overview").json().path("answer").path("status").asInt(0) == 200);
		}
	}

	private Builder served() {
		return WebClient.served(OutboxApplication.on(this.database)).withoutRelay();
	}

	private Builder enabled() {
		return served().with("outbox.monitor.enabled", "true");
	}

}
