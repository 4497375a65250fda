/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.orderedoutbox.monitor.console.OutboxEndpoint;
import io.orderedoutbox.once.ExitCode;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.testing.OutboxApplication;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The pages about the endpoint and about a one-shot relay name what can be asked for and
 * what comes back, and nothing else.
 */
class OperationsDocumentationTests {

	private static final Pattern WORD = Pattern.compile("`(?:(?:GET|POST) /actuator/outbox/)?(\\w+)`");

	@Test
	void everythingTheEndpointTakesIsOnThePage() {
		try (OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
			.withoutRelay()
			.with("management.endpoints.web.exposure.include", "outbox")
			.start()) {
			OutboxEndpoint endpoint = application.bean(OutboxEndpoint.class);
			assertThat(documented("GET")).isEqualTo(offered(
					endpoint.section("?", null, null, null, null, null, null, null, null, null, null, null, null)));
			assertThat(documented("POST")).isEqualTo(offered(endpoint.act("?", null, null, null, null, null, null, null,
					null, null, null, null, null, null, null)));
		}
	}

	private static Set<String> documented(String method) {
		return Pattern.compile("(?m)^\\| (`%s /actuator/outbox/[^|]+) \\|".formatted(method))
			.matcher(page("monitor.md"))
			.results()
			.map((row) -> row.group(1))
			.flatMap((requests) -> WORD.matcher(requests).results())
			.map((word) -> word.group(1))
			.collect(Collectors.toSet());
	}

	// What it says when it is asked for something else
	private static Set<String> offered(WebEndpointResponse<Object> refusal) {
		assertThat(refusal.getStatus()).isEqualTo(404);
		Matcher text = Pattern.compile("only ([^\"]+)")
			.matcher(JsonMapper.shared().writeValueAsString(refusal.getBody()));
		assertThat(text.find()).isTrue();
		return Set.of(text.group(1).split(", | and "));
	}

	@Test
	void everyExitCodeIsOnThePage() {
		assertThat(
				Pattern.compile("(?m)^\\| (\\d+) \\|").matcher(page("one-shot.md")).results().map(MatchResult::group))
			.containsExactlyElementsOf(
					Arrays.stream(ExitCode.values()).map((code) -> "| " + code.code() + " |").toList());
	}

	private static String page(String name) {
		return Documents.text(Documents.root().resolve("docs").resolve(name));
	}

}
