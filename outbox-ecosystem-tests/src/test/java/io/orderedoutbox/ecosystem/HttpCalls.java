/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.ecosystem;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Requests to the web server of an application, all with the same headers. They go by the
 * client of the JDK, and not by Spring's for tests, because a test leaves an answer in
 * the middle, which Spring's reads to its end.
 */
final class HttpCalls {

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final String address;

	private final Map<String, String> headers;

	private HttpCalls(String address, Map<String, String> headers) {
		this.address = address;
		this.headers = headers;
	}

	static HttpCalls to(Application application) {
		String port = application.context().getEnvironment().getProperty("local.server.port");
		return new HttpCalls("http://localhost:" + port, Map.of());
	}

	HttpCalls with(String header, String value) {
		Map<String, String> all = new LinkedHashMap<>(this.headers);
		all.put(header, value);
		return new HttpCalls(this.address, all);
	}

	/**
	 * The same by a user who signs in with each request.
	 */
	HttpCalls by(String user, String password) {
		byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.US_ASCII);
		return with("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return get(path, BodyHandlers.ofString());
	}

	<T> HttpResponse<T> get(String path, BodyHandler<T> handler) throws IOException, InterruptedException {
		return CLIENT.send(request(path).build(), handler);
	}

	HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
		return CLIENT.send(
				request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)).build(),
				BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.address + path));
		this.headers.forEach(request::header);
		return request;
	}

}
