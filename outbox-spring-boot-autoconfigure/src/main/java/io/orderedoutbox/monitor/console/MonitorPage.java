/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
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

	private static final Map<String, String> FILES = Map.ofEntries(Map.entry("monitor.css", "text/css"),
			Map.entry("monitor.js", "text/javascript"), Map.entry("ages.js", "text/javascript"),
			Map.entry("api.js", "text/javascript"), Map.entry("audit.js", "text/javascript"),
			Map.entry("chart.js", "text/javascript"), Map.entry("deadletters.js", "text/javascript"),
			Map.entry("dialogs.js", "text/javascript"), Map.entry("dom.js", "text/javascript"),
			Map.entry("export.js", "text/javascript"), Map.entry("inbox.js", "text/javascript"),
			Map.entry("lists.js", "text/javascript"), Map.entry("outboxes.js", "text/javascript"),
			Map.entry("tiles.js", "text/javascript"), Map.entry("workers.js", "text/javascript"),
			Map.entry("icon.svg", "image/svg+xml"));

	private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
			+ "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

	// Not the application's, whose settings may change names and formats
	private static final JsonMapper JSON = JsonMapper.shared();

	static final Answer FORBIDDEN = Answer.problem(403, "Only the page itself may ask for that");

	// The parameter that says which outbox is meant
	static final String OUTBOX = "outbox";

	private final OutboxConsoles consoles;

	private final MonitorSamplers samplers;

	private final String path;

	private final AllowedHosts hosts;

	private final InboxOverview inbox;

	/**
	 * Create a page.
	 * @param consoles what is shown and done of each outbox
	 * @param samplers what is shown at a glance
	 * @param inbox what is shown and done of the consuming side
	 * @param path where the page is, without a slash at the end
	 * @param hosts the names under which it may be asked for
	 */
	public MonitorPage(OutboxConsoles consoles, MonitorSamplers samplers, InboxOverview inbox, String path,
			AllowedHosts hosts) {
		this.consoles = consoles;
		this.samplers = samplers;
		this.inbox = inbox;
		this.path = path;
		this.hosts = hosts;
	}

	/**
	 * Return what answers requests for the page.
	 * @return the routes
	 */
	public RouterFunction<ServerResponse> routes() {
		String api = this.path + "/api";
		MethodRoutes routes = new MethodRoutes().reading(this.path, this::toDirectory)
			.reading(this.path + "/", (request) -> file("index.html", MediaType.TEXT_HTML_VALUE));
		FILES.forEach((name, type) -> routes.reading(this.path + "/" + name, (request) -> file(name, type)));
		routes.reading(api + "/outboxes", (request) -> tell(request, new Answer(200, this.consoles.names())))
			.reading(api + "/overview", (request) -> tell(request, this.samplers::current))
			.reading(api + "/audit",
					(request) -> tell(request,
							(console) -> console.audit(criteria(request), param(request, "after"),
									size(param(request, "size")))))
			.reading(api + "/groups", (request) -> tell(request, (console) -> console.groups(criteria(request))))
			.reading(api + "/instances", (request) -> tell(request, OutboxConsole::instances))
			.reading(api + "/inbox", (request) -> tell(request, (console) -> this.inbox.current()))
			.reading(api + "/inbox/dead-letters", (request) -> tell(request,
					(console) -> answer(this.inbox.deadLetters(param(request, "from"), param(request, "until")))))
			.reading(api + "/configuration", (request) -> tell(request, OutboxConsole::configuration))
			.reading(api + "/messages",
					(request) -> tell(request,
							(console) -> console.messages(param(request, "state"), criteria(request),
									param(request, "after"), size(param(request, "size")))))
			.reading(api + "/export", new ExportRoute(this.consoles))
			.reading(api + "/messages/{id}",
					(request) -> tell(request, (console) -> console.message(request.pathVariable("id"))));
		OutboxConsole.actions()
			.forEach((action) -> routes.acting(api + "/" + action, (request) -> act(request, action)));
		this.inbox.verbs()
			.forEach((verb) -> routes.acting(api + "/inbox/" + verb, (request) -> actOnInbox(request, verb)));
		return routes.builder()
			.POST(api + "/{action}", (request) -> act(request, request.pathVariable("action")))
			.route(RequestPredicates.path(this.path + "/{file}"), (request) -> headers(404).build())
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

	private static ServerResponse file(String name, String type) throws IOException {
		byte[] content = new ClassPathResource("page/" + name, MonitorPage.class).getContentAsByteArray();
		return headers(200).contentType(MediaType.parseMediaType(type + ";charset=UTF-8")).body(content);
	}

	static Criteria criteria(ServerRequest request) {
		return new Criteria(param(request, "id"), param(request, "key"), param(request, "name"),
				param(request, "group"), null, param(request, "from"), param(request, "until"));
	}

	private static @Nullable Integer size(@Nullable String value) {
		return number("size", value, Integer::valueOf);
	}

	static <T> @Nullable T number(String name, @Nullable String value, Function<String, T> number) {
		try {
			return (value != null) ? number.apply(value) : null;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("'%s' must be a number, but is '%s'".formatted(name, value), ex);
		}
	}

	static @Nullable String param(ServerRequest request, String name) {
		Optional<String> value = request.param(name);
		return value.orElse(null);
	}

	private ServerResponse act(ServerRequest request, String name) throws ServletException, IOException {
		return act(request, Action.class, (action) -> this.consoles.ask(param(request, OUTBOX), (console) -> console
			.act(name, action.criteria(), RerouteRequest.NONE, Boolean.TRUE.equals(action.dryRun()))));
	}

	private ServerResponse actOnInbox(ServerRequest request, String verb) throws ServletException, IOException {
		return act(request, InboxAction.class, (action) -> answer(this.inbox.act(verb, action.shards(), action.id())));
	}

	private static Answer answer(InboxOverview.Reply reply) {
		return new Answer(reply.status(), reply.body());
	}

	private static <T> ServerResponse act(ServerRequest request, Class<T> type, Function<T, Answer> work)
			throws ServletException, IOException {
		if (!SameOrigin.mayAct(request)) {
			return json(Answer.problem(403, "Only the page itself may do that"));
		}
		T action = read(request.body(byte[].class), type);
		return json((action != null) ? work.apply(action)
				: Answer.problem(400, "That is no JSON object with what was expected"));
	}

	private static <T> @Nullable T read(byte[] body, Class<T> type) {
		try {
			return JSON.readValue(body, type);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	// The page looks nothing up for a request that may not ask
	private ServerResponse tell(ServerRequest request, Function<OutboxConsole, ?> work) {
		return json(SameOrigin.mayAsk(request)
				? this.consoles.ask(param(request, OUTBOX), (console) -> console.answer(() -> work.apply(console)))
				: FORBIDDEN);
	}

	private static ServerResponse tell(ServerRequest request, Answer answer) {
		return json(SameOrigin.mayAsk(request) ? answer : FORBIDDEN);
	}

	static ServerResponse json(Answer answer) {
		return json(answer, (headers) -> {
		});
	}

	static ServerResponse json(Answer answer, Consumer<HttpHeaders> more) {
		return headers(answer.status()).contentType(MediaType.APPLICATION_JSON)
			.headers(more)
			.body(JSON.writeValueAsBytes(answer.body()));
	}

	static ServerResponse.BodyBuilder headers(int status) {
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
	record Action(@Nullable String id, @Nullable String key, @Nullable String name, @Nullable String group,
			@Nullable Boolean all, @Nullable Boolean dryRun) {

		Criteria criteria() {
			return new Criteria(this.id, this.key, this.name, this.group, this.all);
		}

	}

	/**
	 * What the page wants to have done with the inbox.
	 */
	record InboxAction(@Nullable String shards, @Nullable String id) {

	}

}
