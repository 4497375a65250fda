/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.time.Duration;
import java.util.Map;

import io.orderedoutbox.servers.Chromium;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpStatus;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample as it comes: no profile, no servers but its own.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@DirtiesContext
@EnabledOnOs(value = { OS.LINUX, OS.WINDOWS }, architectures = "amd64")
class EmbeddedSampleApplicationTests {

	@Test
	void anEventArrivesWithNothingConfigured(@LocalServerPort int port, @Autowired JdbcConnectionDetails database) {
		Shop shop = Shop.at(port);
		String id = shop.placeOrder();
		await().atMost(Duration.ofSeconds(60)).until(() -> shop.order(id).get("complete").asBoolean());
		assertThat(shop.order(id).get("inOrder").asBoolean()).isTrue();
		assertThat(database.getUsername()).isEqualTo("root");
	}

	@Test
	void billingIsOffBecauseItsQueuesNeedRabbitMq(@LocalServerPort int port) {
		Shop shop = Shop.at(port);
		assertThat(shop.get("/api/billing").get("billing").isNull()).isTrue();
		shop.tryToPost("/api/billing/duplicates", Map.of())
			.expectStatus()
			.isEqualTo(HttpStatus.CONFLICT)
			.expectBody()
			.jsonPath("$.detail")
			.isEqualTo("There is no billing on this broker: start the sample with the profile docker or services");
	}

	@Test
	@EnabledIf("io.orderedoutbox.servers.Chromium#isThere")
	void thePageSaysInOneLineWhyThereIsNoBilling(@LocalServerPort int port) {
		try (Chromium browser = new Chromium()) {
			browser.window(1280, 1000, false);
			browser.open("http://localhost:" + port + "/");
			browser.await("!document.querySelector('#billing-off').hidden");
			assertThat(browser.text("#billing-off"))
				.isEqualTo("Its queues need RabbitMQ, and this broker is Apache Qpid: "
						+ "start the sample with the profile docker or services.");
			assertThat(browser.evaluate("document.querySelector('#billing').hidden").asBoolean()).isTrue();
			browser.screenshot("billing-off");
			assertThat(browser.complaints()).isEmpty();
		}
	}

}
