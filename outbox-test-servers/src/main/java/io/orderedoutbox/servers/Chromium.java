/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real browser without a window, driven through its debugging protocol. Whatever it
 * complains about, and every dialog that a script opens, is kept.
 */
public final class Chromium implements AutoCloseable {

	/** Environment variable: {@code required} makes a missing browser a failure. */
	static final String SETTING = "OUTBOX_TEST_BROWSER";

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final Path profile;

	private final Process process;

	private final WebSocket socket;

	private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();

	private final AtomicInteger calls = new AtomicInteger();

	private final List<String> complaints = new CopyOnWriteArrayList<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	public Chromium() {
		try {
			this.profile = Files.createTempDirectory("outbox-chromium");
			this.process = new ProcessBuilder(executable().orElseThrow(), "--headless=new", "--no-sandbox",
					"--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
					"--host-resolver-rules=MAP *.example 127.0.0.1", "--remote-debugging-port=0",
					"--user-data-dir=" + this.profile, "about:blank")
				.redirectErrorStream(true)
				.start();
			this.socket = HttpClient.newHttpClient()
				.newWebSocketBuilder()
				.buildAsync(newPage(address()), new Listener())
				.get(30, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException("Chromium could not be started", ex);
		}
		for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
			call(domain + ".enable", Map.of());
		}
	}

	/**
	 * Whether there is a browser on this machine.
	 */
	public static boolean isThere() {
		return isThere(executable(), System.getenv(SETTING));
	}

	static boolean isThere(Optional<String> executable, @Nullable String setting) {
		boolean required = "required".equals(setting);
		if (setting != null && !setting.isEmpty() && !required) {
			throw new IllegalStateException("%s can only be 'required', but is '%s'".formatted(SETTING, setting));
		}
		if (required && executable.isEmpty()) {
			throw new IllegalStateException(SETTING + "=required, but there is no browser on the path: "
					+ "install one, on Debian with apt-get install chromium");
		}
		return executable.isPresent();
	}

	private static Optional<String> executable() {
		return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
			.flatMap((directory) -> Stream.of("chromium", "chromium-browser", "google-chrome")
				.map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable)
			.map(Path::toString)
			.findFirst();
	}

	private String address() throws IOException {
		BufferedReader output = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8));
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			if (line.startsWith("DevTools listening on ws://")) {
				new Thread(() -> output.lines().forEach((ignored) -> {
				}), "chromium-output").start();
				return line.replaceFirst(".*ws://([^/]+)/.*", "$1");
			}
		}
		throw new IOException("Chromium has ended with " + this.process.exitValue());
	}

	private static URI newPage(String address) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + "/json/new?about:blank"))
			.PUT(BodyPublishers.noBody())
			.build();
		String page = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
		return URI.create(JsonMapper.shared().readTree(page).path("webSocketDebuggerUrl").asString());
	}

	/**
	 * Errors of scripts, violations of the policy, and dialogs that were opened.
	 */
	public List<String> complaints() {
		return this.complaints;
	}

	/**
	 * The addresses that were asked.
	 */
	public List<String> requests() {
		return this.requests;
	}

	/**
	 * Leave the page, and forget who was signed in, what was asked for, and complaints.
	 */
	public void leave() {
		open("about:blank");
		forgetCookies();
		this.complaints.clear();
		this.requests.clear();
	}

	/**
	 * Say where to save files.
	 */
	public void saveTo(Path directory) {
		call("Browser.setDownloadBehavior",
				Map.of("behavior", "allow", "downloadPath", directory.toAbsolutePath().toString()));
	}

	public void forgetCookies() {
		call("Network.clearBrowserCookies", Map.of());
	}

	public void open(String address) {
		call("Page.navigate", Map.of("url", address));
		await("document.readyState === 'complete' && location.href === '" + address + "'");
	}

	public void window(int width, int height, boolean dark) {
		call("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
		call("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
	}

	/**
	 * Be somewhere else, and speak another language.
	 */
	public void pretend(String zone, String language) {
		call("Emulation.setTimezoneOverride", Map.of("timezoneId", zone));
		call("Emulation.setLocaleOverride", Map.of("locale", language));
	}

	/**
	 * Run a script in each page before its own scripts, until {@link #notBefore}.
	 */
	public String before(String script) {
		return call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script)).path("identifier").asString();
	}

	public void notBefore(String identifier) {
		call("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", identifier));
	}

	public JsonNode evaluate(String script) {
		JsonNode answer = call("Runtime.evaluate",
				Map.of("expression", script, "awaitPromise", true, "returnByValue", true));
		if (answer.has("exceptionDetails")) {
			throw new IllegalStateException(script + ": " + answer.path("exceptionDetails"));
		}
		return answer.path("result").path("value");
	}

	public String text(String selector) {
		return evaluate("document.querySelector(%s)?.innerText ?? ''".formatted(quoted(selector))).asString();
	}

	public void click(String selector) {
		await("document.querySelector(%s) !== null".formatted(quoted(selector)));
		evaluate("document.querySelector(%s).click()".formatted(quoted(selector)));
	}

	/**
	 * Press a key as a person would.
	 */
	public void press(String key) {
		Map<String, Integer> codes = Map.of("Tab", 9, "Enter", 13, "Escape", 27);
		Map<String, Object> event = Map.of("type", "keyDown", "key", key, "code", key, "windowsVirtualKeyCode",
				codes.get(key), "text", key.equals("Enter") ? "\r" : "");
		call("Input.dispatchKeyEvent", event);
		call("Input.dispatchKeyEvent",
				Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", codes.get(key)));
	}

	public void await(String condition) {
		Awaitility.await(condition)
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> evaluate("Boolean(" + condition + ")").asBoolean());
	}

	/**
	 * Keep what is seen beside the reports of the tests.
	 */
	public void screenshot(String name) {
		keep(name, call("Page.captureScreenshot", Map.of("format", "png")));
	}

	/**
	 * Keep what is seen of an element, and a little around it.
	 */
	public void screenshot(String name, String selector) {
		JsonNode clip = evaluate(
				"""
						(({ x, y, width, height }) => ({ x: Math.max(0, x + scrollX - 24), y: y + scrollY - 24, width: width + 48,
						  height: height + 48, scale: 1 }))(document.querySelector(%s).getBoundingClientRect())"""
					.formatted(quoted(selector)));
		keep(name,
				call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", clip)));
	}

	private static void keep(String name, JsonNode picture) {
		try {
			Path directory = Files.createDirectories(Path.of("target", "screenshots"));
			Files.write(directory.resolve(name + ".png"), Base64.getDecoder().decode(picture.path("data").asString()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static String quoted(String text) {
		return JsonMapper.shared().writeValueAsString(text);
	}

	@SuppressWarnings("FutureReturnValueIgnored") // the answer is awaited
	private JsonNode call(String method, Map<String, ?> parameters) {
		int id = this.calls.incrementAndGet();
		CompletableFuture<JsonNode> answer = new CompletableFuture<>();
		this.answers.put(id, answer);
		this.socket.sendText(
				JsonMapper.shared().writeValueAsString(Map.of("id", id, "method", method, "params", parameters)), true);
		try {
			return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(method + " " + parameters, ex);
		}
	}

	private void received(JsonNode message) {
		JsonNode parameters = message.path("params");
		if (message.has("id")) {
			CompletableFuture<JsonNode> answer = Objects
				.requireNonNull(this.answers.remove(message.path("id").asInt()));
			if (message.has("error")) {
				answer.completeExceptionally(new IllegalStateException(message.path("error").toString()));
			}
			else {
				answer.complete(message.path("result"));
			}
			return;
		}
		switch (message.path("method").asString()) {
			case "Runtime.exceptionThrown", "Page.javascriptDialogOpening" ->
				this.complaints.add(parameters.toString());
			case "Log.entryAdded" -> {
				// A status that tells of a problem is none of the page
				if (!parameters.path("entry").path("source").asString().equals("network")) {
					this.complaints.add(parameters.toString());
				}
			}
			case "Network.requestWillBeSent" -> this.requests.add(parameters.path("request").path("url").asString());
			default -> {
			}
		}
	}

	@Override
	public void close() {
		this.socket.abort();
		Stream.concat(this.process.descendants(), Stream.of(this.process.toHandle()))
			.toList()
			.forEach(ProcessHandle::destroyForcibly);
		this.process.onExit().join();
		// What the browser still writes keeps its directory for a moment
		Awaitility.await().ignoreExceptionsInstanceOf(IOException.class).until(() -> {
			DirectoryTree.delete(this.profile);
			return true;
		});
	}

	private final class Listener implements WebSocket.Listener {

		private final StringBuilder text = new StringBuilder();

		@Override
		public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
			this.text.append(data);
			if (last) {
				received(JsonMapper.shared().readTree(this.text.toString()));
				this.text.setLength(0);
			}
			socket.request(1);
			return CompletableFuture.completedFuture(null);
		}

	}

}
