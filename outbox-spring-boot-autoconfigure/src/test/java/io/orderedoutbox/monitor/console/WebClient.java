/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.orderedoutbox.testing.OutboxApplication;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.test.web.servlet.client.ExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.RequestBodySpec;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

/**
 * Asks an application over HTTP.
 */
public final class WebClient {

	// The client of the JDK follows no redirect
	private final RestTestClient client = RestTestClient
		.bindToServer(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
		.build();

	private final String address;

	private final String[] headers;

	private WebClient(String address, String... headers) {
		this.address = address;
		this.headers = headers;
	}

	/**
	 * Let an application have a web server, and no Spring Security.
	 */
	public static OutboxApplication.Builder served(OutboxApplication.Builder application) {
		return secured(application).hiding("org.springframework.security");
	}

	/**
	 * Let an application have a web server, and Spring Security.
	 */
	public static OutboxApplication.Builder secured(OutboxApplication.Builder application) {
		return application.with("spring.main.web-application-type", "servlet").with("server.port", 0);
	}

	/**
	 * A client of an application, for what is below a path.
	 */
	public static WebClient of(OutboxApplication application, String path) {
		String port = application.context().getEnvironment().getProperty("local.server.port");
		return new WebClient("http://localhost:" + port + path);
	}

	/**
	 * A client that asks as the monitor page does.
	 */
	public WebClient asPage() {
		return with(SameOrigin.HEADER, "1");
	}

	/**
	 * A client that sends more headers with each request.
	 */
	public WebClient with(String... headers) {
		return new WebClient(this.address,
				Stream.concat(Stream.of(this.headers), Stream.of(headers)).toArray(String[]::new));
	}

	public String address() {
		return this.address;
	}

	public Reply get(String path) {
		return send(HttpMethod.GET, path);
	}

	public Reply post(String path, String json, String... headers) {
		return post(path, MediaType.APPLICATION_JSON, json, headers);
	}

	public Reply post(String path, MediaType type, String body, String... headers) {
		return Reply.of(request(HttpMethod.POST, path, headers).contentType(type).body(body).exchange());
	}

	public Reply send(HttpMethod method, String path, String... headers) {
		return Reply.of(request(method, path, headers).exchange());
	}

	private RequestBodySpec request(HttpMethod method, String path, String... headers) {
		RequestBodySpec request = this.client.method(method).uri(URI.create(this.address + path));
		List<String> all = Stream.concat(Stream.of(this.headers), Stream.of(headers)).toList();
		for (int index = 0; index < all.size(); index += 2) {
			request.header(all.get(index), all.get(index + 1));
		}
		return request;
	}

	/**
	 * One field of all that is listed, from pages of two, one after the other.
	 */
	public List<String> listed(String field, String query) {
		List<String> found = new ArrayList<>();
		String after = "";
		JsonNode page;
		do {
			page = get("/messages?size=2&" + query + after).json();
			page.path("items").forEach((item) -> found.add(item.path(field).asString()));
			after = "&after=" + page.path("next").asString("");
		}
		while (page.has("next"));
		return found;
	}

	/**
	 * Ask under a name that points here, as a browser does that was told so, and return
	 * the first line of the answer.
	 */
	public String statusUnder(String host, String path, String... headers) {
		URI uri = URI.create(this.address + path);
		StringBuilder request = new StringBuilder("GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
			.formatted(uri.getRawPath(), host.replace("PORT", String.valueOf(uri.getPort()))));
		List<String> all = Stream.concat(Stream.of(this.headers), Stream.of(headers)).toList();
		for (int index = 0; index < all.size(); index += 2) {
			request.append(all.get(index)).append(": ").append(all.get(index + 1)).append("\r\n");
		}
		try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
			socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
				.findFirst()
				.orElse("");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What came back.
	 */
	public record Reply(int status, String body, HttpHeaders headers) {

		static Reply of(ResponseSpec response) {
			ExchangeResult exchange = response.returnResult();
			String body = new String(exchange.getResponseBodyContent(), StandardCharsets.UTF_8);
			return new Reply(exchange.getStatus().value(), body, exchange.getResponseHeaders());
		}

		public JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

		public String header(String name) {
			return Objects.requireNonNullElse(this.headers.getFirst(name), "");
		}

	}

}
