package io.orderedoutbox.monitor;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The monitor page, and what it asks for.
 * <p>
 * Guaranteed: the page needs nothing from elsewhere, runs no script but its own, and is
 * shown in no other page; what another site makes a browser send is refused, also a site
 * whose name points to this application. Who may see it is up to the application.
 */
public final class MonitorPage {

	private static final Map<String, String> FILES = Map.of("monitor.css", "text/css", "monitor.js", "text/javascript",
			"api.js", "text/javascript", "chart.js", "text/javascript", "dialogs.js", "text/javascript", "dom.js",
			"text/javascript", "lists.js", "text/javascript", "workers.js", "text/javascript", "icon.svg",
			"image/svg+xml");

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	// Not the application's, whose settings may change names and formats
	private static final JsonMapper JSON = JsonMapper.shared();

	private final OutboxConsole console;

	private final MonitorSampler sampler;

	private final String path;

	private final AllowedHosts hosts;

	/**
	 * Create a page.
	 * @param console what is shown and done
	 * @param sampler what is shown at a glance
	 * @param path where the page is, without a slash at the end
	 * @param hosts the names under which it may be asked for
	 */
	public MonitorPage(OutboxConsole console, MonitorSampler sampler, String path, AllowedHosts hosts) {
		this.console = console;
		this.sampler = sampler;
		this.path = path;
		this.hosts = hosts;
	}

	/**
	 * Return what answers requests for the page.
	 * @return the routes
	 */
	public RouterFunction<ServerResponse> routes() {
		String api = this.path + "/api";
		return RouterFunctions.route()
			.GET(this.path, this::toDirectory)
			.GET(this.path + "/", (request) -> file("index.html", MediaType.TEXT_HTML_VALUE))
			.GET(this.path + "/{file}", this::file)
			.GET(api + "/overview", (request) -> tell(request, this.sampler::current))
			.GET(api + "/instances", (request) -> tell(request, this.console::instances))
			.GET(api + "/configuration", (request) -> tell(request, this.console::configuration))
			.GET(api + "/messages", (request) -> tell(request, () -> messages(request)))
			.GET(api + "/messages/{id}",
					(request) -> tell(request, () -> this.console.message(request.pathVariable("id"))))
			.POST(api + "/{action}", this::act)
			.filter(this::underAllowedName)
			.build();
	}

	private ServerResponse underAllowedName(ServerRequest request, HandlerFunction<ServerResponse> next)
			throws Exception {
		String forbidden = this.hosts.forbidden(request);
		return (forbidden == null) ? next.handle(request) : json(Answer.problem(403,
				"The monitor page is not to be asked for as '%s': if that is a name of this application, add it to outbox.monitor.allowed-hosts"
					.formatted(forbidden)));
	}

	// The addresses in the page are relative to the directory
	private ServerResponse toDirectory(ServerRequest request) {
		return headers(302).header(HttpHeaders.LOCATION, this.path.substring(this.path.lastIndexOf('/') + 1) + "/")
			.build();
	}

	private ServerResponse file(ServerRequest request) throws IOException {
		String name = request.pathVariable("file");
		String type = FILES.get(name);
		return (type != null) ? file(name, type) : headers(404).build();
	}

	private static ServerResponse file(String name, String type) throws IOException {
		byte[] content = new ClassPathResource("page/" + name, MonitorPage.class).getContentAsByteArray();
		return headers(200).contentType(MediaType.parseMediaType(type + ";charset=UTF-8")).body(content);
	}

	private Object messages(ServerRequest request) {
		Criteria criteria = new Criteria(param(request, "id"), param(request, "key"), param(request, "name"), null);
		return this.console.messages(param(request, "state"), criteria, param(request, "after"),
				size(param(request, "size")));
	}

	private static @Nullable Integer size(@Nullable String value) {
		try {
			return (value != null) ? Integer.valueOf(value) : null;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'size' must be a number, but is '%s'".formatted(value), ex);
		}
	}

	private static @Nullable String param(ServerRequest request, String name) {
		Optional<String> value = request.param(name);
		return value.orElse(null);
	}

	private ServerResponse act(ServerRequest request) throws ServletException, IOException {
		if (!SameOrigin.mayAct(request)) {
			return json(Answer.problem(403, "Only the page itself may do that"));
		}
		Action action = action(request.body(byte[].class));
		return json((action != null)
				? this.console.act(request.pathVariable("action"), action.criteria(),
						Boolean.TRUE.equals(action.dryRun()))
				: Answer.problem(400, "That is no JSON object with what was expected"));
	}

	private static @Nullable Action action(byte[] body) {
		try {
			return JSON.readValue(body, Action.class);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	// The page looks nothing up for a request that may not ask
	private static ServerResponse tell(ServerRequest request, Supplier<?> work) {
		return json(SameOrigin.mayAsk(request) ? Answer.of(work)
				: Answer.problem(403, "Only the page itself may ask for that"));
	}

	private static ServerResponse json(Answer answer) {
		return headers(answer.status()).contentType(MediaType.APPLICATION_JSON)
			.body(JSON.writeValueAsBytes(answer.body()));
	}

	private static ServerResponse.BodyBuilder headers(int status) {
		return ServerResponse.status(status)
			.header("Content-Security-Policy", POLICY)
			.header("X-Content-Type-Options", "nosniff")
			.header("X-Frame-Options", "DENY")
			.header("Referrer-Policy", "no-referrer")
			.header(HttpHeaders.CACHE_CONTROL, "no-store");
	}

	/**
	 * What the page wants to have done.
	 */
	record Action(@Nullable String id, @Nullable String key, @Nullable String name, @Nullable Boolean all,
			@Nullable Boolean dryRun) {

		Criteria criteria() {
			return new Criteria(this.id, this.key, this.name, this.all);
		}

	}

}
