/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import tools.jackson.databind.JsonNode;

import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * What the page does, for tests.
 */
record Shop(RestTestClient client) {

	static Shop at(int port) {
		return new Shop(RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build());
	}

	String placeOrder() {
		Map<String, Object> order = Map.of("customer", "Grace", "lines", List.of(line()));
		return post("/api/orders", order).at("/order/id").asString();
	}

	JsonNode order(String id) {
		return get("/api/orders/" + id).get("order");
	}

	JsonNode totals() {
		return get("/api/overview").get("totals");
	}

	JsonNode get(String path) {
		return body(this.client.get().uri(path).exchange());
	}

	JsonNode post(String path, Object body) {
		return body(this.client.post().uri(path).body(body).exchange());
	}

	void delete(String path) {
		this.client.delete().uri(path).exchange().expectStatus().is2xxSuccessful();
	}

	RestTestClient.ResponseSpec tryToPost(String path, Object body) {
		return this.client.post().uri(path).body(body).exchange();
	}

	static Map<String, Object> line() {
		return Map.of("product", "Oolong", "quantity", 2, "unitPrice", 4.90);
	}

	static List<Long> versions(JsonNode events) {
		return values(events, "version").map(JsonNode::asLong).toList();
	}

	static List<String> texts(JsonNode events, String field) {
		return values(events, field).map(JsonNode::asString).toList();
	}

	private static Stream<JsonNode> values(JsonNode events, String field) {
		return StreamSupport.stream(events.spliterator(), false).map((event) -> event.get(field));
	}

	private static JsonNode body(RestTestClient.ResponseSpec response) {
		JsonNode body = response.expectStatus()
			.is2xxSuccessful()
			.expectBody(JsonNode.class)
			.returnResult()
			.getResponseBody();
		if (body == null) {
			throw new AssertionError("The answer has no body");
		}
		return body;
	}

}
