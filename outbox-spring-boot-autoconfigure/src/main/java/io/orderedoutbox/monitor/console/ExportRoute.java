/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.BodyBuilder;

/**
 * Lets the page export messages. A request for the headers alone exports nothing.
 */
final class ExportRoute implements HandlerFunction<ServerResponse> {

	private final OutboxConsoles consoles;

	ExportRoute(OutboxConsoles consoles) {
		this.consoles = consoles;
	}

	@Override
	public ServerResponse handle(ServerRequest request) {
		if (!SameOrigin.mayAsk(request)) {
			return MonitorPage.json(MonitorPage.FORBIDDEN);
		}
		Answer answer = this.consoles.ask(MonitorPage.param(request, MonitorPage.OUTBOX),
				(console) -> console
					.answer(() -> console.export(MonitorPage.param(request, "state"), MonitorPage.criteria(request),
							MonitorPage.number("limit", MonitorPage.param(request, "limit"), Long::valueOf))));
		if (!(answer.body() instanceof ExportStream stream)) {
			return MonitorPage.json(answer);
		}
		BodyBuilder response = MonitorPage.headers(200)
			.contentType(new MediaType(ExportStream.TYPE))
			.header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"outbox.ndjson\"");
		if (request.method().equals(HttpMethod.HEAD)) {
			return response.build();
		}
		return response.build((servletRequest, servletResponse) -> {
			try (stream) {
				stream.transferTo(servletResponse.getOutputStream());
			}
			return null;
		});
	}

}
