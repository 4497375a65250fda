/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.documentation;

import io.orderedoutbox.once.OneShotExit;
import io.orderedoutbox.once.OneShotRunner;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.OutboxApplication.Builder;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A one-shot relay of the new version, which sends what is left when the old version is
 * deployed again.
 */
final class LastRelay {

	private LastRelay() {
	}

	/**
	 * Let it send everything.
	 * @return the code with which its process would end
	 */
	static int run(Builder builder) {
		try (OutboxApplication application = builder.with("outbox.relay.mode", "once").with(NoExit.class).start()) {
			return application.bean(OneShotRunner.class).getExitCode();
		}
	}

	// The process is that of the tests
	@Configuration(proxyBeanMethods = false)
	static class NoExit {

		@Bean
		OneShotExit exit() {
			return new OneShotExit((context) -> {
			});
		}

	}

}
