/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Decides where a server comes from: an address in the environment wins, then Docker,
 * then the embedded server. {@value #FORCED} overrides that and fails when it cannot be
 * obeyed.
 */
final class ServerChoice {

	static final String FORCED = "OUTBOX_TEST_SERVERS";

	private final Map<String, String> environment;

	private final BooleanSupplier dockerAnswers;

	ServerChoice(Map<String, String> environment, BooleanSupplier dockerAnswers) {
		this.environment = environment;
		this.dockerAnswers = dockerAnswers;
	}

	ServerKind choose(String addressVariable) {
		String forced = value(FORCED, "").trim();
		if (forced.isEmpty()) {
			return choosable(addressVariable);
		}
		ServerKind kind = parse(forced);
		if (kind == ServerKind.ENVIRONMENT && !has(addressVariable)) {
			throw new IllegalStateException(FORCED + "=" + forced + " needs " + addressVariable
					+ ", which is not set: run 'eval \"$(scripts/services env)\"' or unset " + FORCED);
		}
		if (kind == ServerKind.DOCKER && !this.dockerAnswers.getAsBoolean()) {
			throw new IllegalStateException(
					FORCED + "=" + forced + " needs a Docker engine that answers and Testcontainers on the class path: "
							+ "start Docker or unset " + FORCED);
		}
		return kind;
	}

	String value(String variable, String fallback) {
		String value = this.environment.get(variable);
		return (value != null && !value.isBlank()) ? value : fallback;
	}

	private ServerKind choosable(String addressVariable) {
		if (has(addressVariable)) {
			return ServerKind.ENVIRONMENT;
		}
		return this.dockerAnswers.getAsBoolean() ? ServerKind.DOCKER : ServerKind.EMBEDDED;
	}

	private boolean has(String variable) {
		return !value(variable, "").isEmpty();
	}

	private static ServerKind parse(String forced) {
		for (ServerKind kind : ServerKind.values()) {
			if (kind.name().equals(forced.toUpperCase(Locale.ROOT))) {
				return kind;
			}
		}
		throw new IllegalStateException(
				FORCED + "=" + forced + " is unknown: use environment, docker or embedded, or unset it");
	}

}
