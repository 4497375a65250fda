package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.orderedoutbox.testing.OutboxApplication;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks an application over HTTP.
 */
public final class WebClient {

	private final HttpClient client = HttpClient.newHttpClient();

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
		return send(request(path));
	}

	public Reply post(String path, String json, String... headers) {
		HttpRequest.Builder request = request(path).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(json));
		return send((headers.length > 0) ? request.headers(headers) : request);
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

	public HttpRequest.Builder request(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.address + path));
		return (this.headers.length > 0) ? request.headers(this.headers) : request;
	}

	public Reply send(HttpRequest.Builder request) {
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
	public record Reply(int status, String body, HttpResponse<String> response) {

		public JsonNode json() {
			return JsonMapper.shared().readTree(this.body);
		}

		public String header(String name) {
			return this.response.headers().firstValue(name).orElse("");
		}

	}

}
