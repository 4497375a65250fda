/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The dashboard for Grafana, and what it asks Prometheus for.
 */
public final class Dashboard {

	static final JsonNode CONTENT = JsonMapper.shared()
		.readTree(Documents.text(Documents.root().resolve("docs/grafana-dashboard.json")));

	private static final Pattern NAME = Pattern.compile("\\boutbox_\\w+");

	private static final String INBOX = "outbox_inbox_";

	private Dashboard() {
	}

	static List<String> expressions() {
		Stream<JsonNode> variables = CONTENT.path("templating").path("list").valueStream();
		return Stream
			.concat(CONTENT.path("panels")
				.valueStream()
				.flatMap((panel) -> panel.path("targets").valueStream())
				.map((target) -> target.path("expr").asString()),
					variables.map((variable) -> variable.path("definition").asString()))
			.toList();
	}

	static Set<String> names(String text) {
		return NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
	}

	/**
	 * The names that it uses of what an outbox tells Prometheus.
	 */
	static Set<String> ofTheOutbox() {
		return used().filter((name) -> !name.startsWith(INBOX)).collect(Collectors.toSet());
	}

	/**
	 * The names that it uses of what an inbox tells Prometheus.
	 */
	public static Set<String> ofTheInbox() {
		return used().filter((name) -> name.startsWith(INBOX)).collect(Collectors.toSet());
	}

	private static Stream<String> used() {
		return expressions().stream().flatMap((expression) -> names(expression).stream());
	}

}
