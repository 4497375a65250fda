/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.util.Map;

import io.orderedoutbox.servers.Chromium;
import io.orderedoutbox.servers.RequiresRabbitMq;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Billing on the page of the sample, in a real browser. Skipped where there is none.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ActiveProfiles("services")
@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
@RequiresRabbitMq
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
@Tag("slow")
@Tag("thorough")
class BillingPageInBrowserTests {

	private static final SampleOnServers SAMPLE = SampleOnServers.fresh();

	private static final String ALL_BY_THIS_INSTANCE = "document.querySelector('#billed-note').textContent"
			+ ".endsWith(`· ${document.querySelector('#billed').textContent} by this instance`)";

	private Chromium browser;

	private Shop shop;

	private String address;

	@DynamicPropertySource
	static void servers(DynamicPropertyRegistry registry) {
		SAMPLE.register(registry);
	}

	@BeforeAll
	void start() {
		this.browser = new Chromium();
	}

	@BeforeEach
	void open(@LocalServerPort int port) {
		this.shop = Shop.at(port);
		this.address = "http://localhost:" + port + "/";
		this.browser.leave();
	}

	@AfterEach
	void work() {
		this.shop.delete("/api/billing/failure");
	}

	@AfterAll
	void stop(@Autowired RabbitListenerEndpointRegistry listeners, @Autowired AmqpAdmin broker) {
		this.browser.close();
		SAMPLE.leaveTheBrokerAsItWas(listeners, broker);
	}

	@Test
	void heldOrdersAndDuplicatesAreSeenWhileTheHandlerFails() {
		open(1280, false);
		this.browser.await("document.querySelectorAll('#shards tbody tr').length === 8");
		assertThat(this.browser.text("#failing")).isEqualTo("The handler works.");
		this.shop.post("/api/load", Map.of("events", 1500, "orders", 50, "threads", 8));
		this.browser.await("Number(document.querySelector('#billed').textContent) > 200");
		this.browser.click("#fail");
		this.browser.await("document.querySelector('#fail').textContent === 'Stop failing'");
		assertThat(this.browser.text("#failing")).contains("fails for about one order in 5");
		this.browser.await("Number(document.querySelector('#held').textContent) > 0");
		this.browser
			.await("document.querySelector('#load-progress').hidden && !document.querySelector('#load').disabled");
		this.browser.click("#again");
		this.browser.await("document.querySelector('#duplicates').textContent === '10'");
		assertThat(this.browser.text("#billing-message")).isEqualTo("10 messages published again, with the same ids");
		this.browser.await("[...document.querySelectorAll('#shards tbody td:nth-child(2)')]"
				+ ".every((cell) => cell.textContent === 'this instance')");
		this.browser.await("document.querySelector('#invoices tbody td:nth-child(2)').textContent"
				+ " === 'held: the handler fails'");
		assertThat(this.browser
			.evaluate("[...document.querySelectorAll('#billing .scroll')]"
					+ ".every((table) => table.scrollWidth <= table.clientWidth)")
			.asBoolean()).as("nothing is cut off").isTrue();
		this.browser.screenshot("billing", "section[aria-labelledby=billing-title]");
		for (boolean dark : new boolean[] { false, true }) {
			open(390, dark);
			this.browser.await("document.querySelectorAll('#shards tbody tr').length === 8");
			assertThat(this.browser.evaluate("document.documentElement.scrollWidth").asInt()).isLessThanOrEqualTo(390);
			this.browser.screenshot(dark ? "billing-phone-dark" : "billing-phone",
					"section[aria-labelledby=billing-title]");
		}
		open(1280, false);
		this.browser.await("document.querySelector('#fail').textContent === 'Stop failing'");
		this.browser.click("#fail");
		this.browser.await("document.querySelector('#held').textContent === '0'");
		this.browser.await("document.querySelector('#billed').textContent"
				+ " === document.querySelector('#committed').textContent");
		this.browser.await(ALL_BY_THIS_INSTANCE);
		this.browser.await("[...document.querySelectorAll('#invoices tbody td:nth-child(2)')]"
				+ ".every((cell) => cell.textContent === '✓ each once, in order')");
		assertThat(this.browser.complaints()).isEmpty();
	}

	@Test
	void theHandlerFailsForTheOrderThatIsChosen() {
		String id = this.shop.placeOrder();
		open(1280, true);
		this.browser.click("[aria-controls='detail-%s']".formatted(id));
		this.browser.click("[id='detail-%s'] .only-billing button".formatted(id));
		this.browser.await("document.querySelector('#fail').textContent === 'Stop failing'");
		this.shop.post("/api/orders/" + id + "/shipment", Map.of());
		this.browser.await("document.querySelector('#held').textContent === '1'");
		assertThat(this.browser.text("#failing")).matches("(?s).*fails for order #\\d+:.*");
		this.browser.click("#fail");
		this.browser.await("document.querySelector('#held').textContent === '0'");
		assertThat(this.browser.complaints()).isEmpty();
	}

	private void open(int width, boolean dark) {
		this.browser.window(width, 1000, dark);
		this.browser.open(this.address);
	}

}
