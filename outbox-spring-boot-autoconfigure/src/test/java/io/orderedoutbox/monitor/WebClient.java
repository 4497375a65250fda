package io.orderedoutbox.monitor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.orderedoutbox.testing.OutboxApplication;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks an application over HTTP.
 */
final class WebClient {

	private final HttpClient client = HttpClient.newHttpClient();

	private final String address;

	private WebClient(String address) {
		this.address = address;
	}

	/**
	 * Let an application have a web server.
	 */
	static OutboxApplication.Builder served(OutboxApplication.Builder application) {
		return application.with("spring.main.web-application-type", "servlet").with("server.port", 0);
	}

	/**
	 * A client of an application, for what is below a path.
	 */
	static WebClient of(OutboxApplication application, String path) {
		String port = application.context().getEnvironment().getProperty("local.server.port");
		return new WebClient("http://localhost:" + port + path);
	}

	String address() {
		return this.address;
	}

	Reply get(String path) {
		return send(request(path));
	}

	Reply post(String path, String json, String... headers) {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json));
		return send((headers.length > 0) ? request.headers(headers) : request);
	}

	HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.address + path));
	}

	Reply send(HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
			return new Reply(response.statusCode(), response.body(), response);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("The test was interrupted", ex);
		}
	}

	/**
	 * What came back.
	 */
	record Reply(int status, String body, HttpResponse<String> response) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

		String header(String name) {
			return this.response.headers().firstValue(name).orElse("");
		}

	}

}
