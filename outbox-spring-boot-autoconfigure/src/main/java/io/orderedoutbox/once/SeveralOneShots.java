/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.LinkedHashMap;
import java.util.Map;

import io.orderedoutbox.send.OutboxScope;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.core.Ordered;

/**
 * Drains several outboxes, one after the other, when the application has started. One
 * that fails does not keep the others from it; the exit code is the highest of all.
 */
public final class SeveralOneShots implements ApplicationRunner, ExitCodeGenerator, Ordered {

	private final Map<String, OneShotRunner> runners;

	/**
	 * Create it.
	 * @param runners what drains each outbox, by their names
	 */
	public SeveralOneShots(Map<String, OneShotRunner> runners) {
		this.runners = new LinkedHashMap<>(runners);
	}

	@Override
	public void run(ApplicationArguments arguments) throws Exception {
		for (Map.Entry<String, OneShotRunner> runner : this.runners.entrySet()) {
			OutboxScope.call(runner.getKey(), () -> {
				runner.getValue().run(arguments);
				return true;
			});
		}
	}

	@Override
	public int getExitCode() {
		return this.runners.values().stream().mapToInt(OneShotRunner::getExitCode).max().orElse(0);
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
