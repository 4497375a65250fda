/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor;

import io.orderedoutbox.OutboxMessage;
import io.orderedoutbox.PartitionKey;
import io.orderedoutbox.monitor.console.WebClient;
import io.orderedoutbox.servers.Chromium;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The monitor page of an application with two outboxes.
 */
@Timeout(120)
@Tag("thorough")
class MonitorPageOfSeveralOutboxesTests {

	@Test
	void thePageAsksTheOutboxThatAParameterNames() {
		try (OutboxApplication application = application().with("outbox.named.billing.relay.mode", "continuous")
			.start()) {
			WebClient client = WebClient.of(application, "/outbox/api").asPage();
			assertThat(client.post("/pause?outbox=billing", "{}").status()).isEqualTo(200);
			Awaitility.await().until(() -> relay(client, "?outbox=billing").equals("paused"));
			assertThat(relay(client, "")).isEqualTo("off");
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"), new InvoiceSent("c"));
			assertThat(client.get("/outboxes").body()).isEqualTo("[\"default\",\"billing\"]");
			assertThat(client.get("/messages").body()).contains("order.placed").doesNotContain("invoice.sent");
			assertThat(client.get("/messages?outbox=billing").body()).contains("invoice.sent")
				.doesNotContain("order.placed");
			Awaitility.await().until(() -> backlog(client, "") == 1 && backlog(client, "?outbox=billing") == 2);
			assertThat(client.get("/overview?outbox=shipping").status()).isEqualTo(404);
			assertThat(WebClient.of(application, "/outbox/api").get("/outboxes").status()).isEqualTo(403);
		}
	}

	@Test
	void itIsThereAlsoIfAllOutboxesHaveNames() {
		try (OutboxApplication application = application().with("outbox.enabled", false).start()) {
			WebClient client = WebClient.of(application, "/outbox/api").asPage();
			assertThat(client.get("/outboxes").body()).isEqualTo("[\"billing\"]");
			assertThat(client.get("/configuration").body()).contains("outbox.named.billing.ordered");
		}
	}

	@Test
	@Tag("slow")
	@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
	void theOperatorChoosesTheOutbox() {
		try (Chromium browser = new Chromium(); OutboxApplication application = application().start()) {
			application.publish(new OrderPlaced("a", 1), new InvoiceSent("b"), new InvoiceSent("c"));
			browser.window(1280, 900, false);
			browser.open(WebClient.of(application, "/outbox/").address());
			browser.await("document.querySelector('#tile-backlog .figure').textContent === '1'");
			browser.await("!document.querySelector('#outbox').hidden");
			assertThat(browser.text("#outbox option:checked")).isEqualTo("default");
			browser.evaluate("""
					document.querySelector('#outbox').value = 'billing';
					document.querySelector('#outbox').dispatchEvent(new Event('change'))""");
			browser.await("location.search === '?outbox=billing'");
			browser.await("document.querySelector('#tile-backlog .figure').textContent === '2'");
			browser.await("document.querySelectorAll('#messages tbody tr').length === 2");
			assertThat(browser.text("#outbox option:checked")).isEqualTo("billing");
			assertThat(browser.text("title")).isEqualTo("Outbox billing");
			browser.screenshot("several-outboxes");
			assertThat(browser.complaints()).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
	void whereThereIsOnlyOneThereIsNothingToChoose() {
		try (Chromium browser = new Chromium();
				OutboxApplication application = WebClient
					.served(OutboxApplication.on(Servers.database().fresh()).withoutRelay())
					.with("outbox.monitor.enabled", true)
					.start()) {
			browser.open(WebClient.of(application, "/outbox/").address());
			browser.await("document.querySelector('#tile-backlog .figure').textContent === '0'");
			assertThat(browser.evaluate("document.querySelector('#outbox').hidden").asBoolean()).isTrue();
		}
	}

	private static String relay(WebClient client, String query) {
		return client.get("/overview" + query).json().at("/relay/state").asString();
	}

	private static int backlog(WebClient client, String query) {
		return client.get("/overview" + query).json().at("/answer/body/backlog/count").asInt();
	}

	private static Builder application() {
		return WebClient.served(OutboxApplication.on(Servers.database().fresh()).withoutRelay())
			.with("outbox.monitor.enabled", true)
			.with("outbox.named.billing.relay.mode", "off")
			.with("outbox.named.billing.ordered", true)
			.with("outbox.named.billing.jdbc.initialize-schema", "always")
			.with("outbox.named.billing.jdbc.table-prefix", "billing_");
	}

	@OutboxMessage(value = "invoice.sent", outbox = "billing")
	record InvoiceSent(@PartitionKey String customer) {

	}

}
