/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Paths, each with the methods that it takes. {@code HEAD} is answered as {@code GET},
 * and the server leaves the content out; {@code OPTIONS} is answered with the methods,
 * and any other with 405 and the methods.
 */
final class MethodRoutes {

	private final RouterFunctions.Builder routes = RouterFunctions.route();

	/**
	 * Let a path be read.
	 */
	MethodRoutes reading(String path, HandlerFunction<ServerResponse> handler) {
		return taking(path, handler, HttpMethod.GET, HttpMethod.HEAD);
	}

	/**
	 * Let a path be acted on.
	 */
	MethodRoutes acting(String path, HandlerFunction<ServerResponse> handler) {
		return taking(path, handler, HttpMethod.POST);
	}

	private MethodRoutes taking(String path, HandlerFunction<ServerResponse> handler, HttpMethod... methods) {
		String allowed = Stream.concat(Stream.of(methods), Stream.of(HttpMethod.OPTIONS))
			.map(HttpMethod::name)
			.collect(Collectors.joining(", "));
		this.routes.route(RequestPredicates.methods(methods).and(RequestPredicates.path(path)), handler)
			.route(RequestPredicates.path(path), (request) -> otherwise(request, allowed));
		return this;
	}

	private static ServerResponse otherwise(ServerRequest request, String allowed) {
		if (request.method().equals(HttpMethod.OPTIONS)) {
			return MonitorPage.headers(200).header(HttpHeaders.ALLOW, allowed).build();
		}
		Answer refusal = Answer.problem(405,
				"'%s' takes %s, but not %s".formatted(request.path(), allowed, request.method()));
		return MonitorPage.json(refusal, (headers) -> headers.set(HttpHeaders.ALLOW, allowed));
	}

	/**
	 * All of them, as long as a path is not among those that came before.
	 */
	RouterFunctions.Builder builder() {
		return this.routes;
	}

}
