/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.util.function.Consumer;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;

/**
 * Ends the process when the application is ready, that is when all its runners have run.
 * A web server or a listener would keep it alive otherwise.
 */
public final class OneShotExit implements ApplicationListener<ApplicationReadyEvent>, Ordered {

	private final Consumer<ConfigurableApplicationContext> end;

	/**
	 * Create an exit.
	 * @param end closes the application and ends the process
	 */
	public OneShotExit(Consumer<ConfigurableApplicationContext> end) {
		this.end = end;
	}

	@Override
	public void onApplicationEvent(ApplicationReadyEvent event) {
		this.end.accept(event.getApplicationContext());
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
