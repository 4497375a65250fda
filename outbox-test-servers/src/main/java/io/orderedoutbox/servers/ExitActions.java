/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * What is to be done when the JVM ends: last in, first out, and only after Spring has
 * closed its application contexts, which need their servers until then.
 */
final class ExitActions {

	// Framework's name for its hook, and Boot's
	private static final Set<String> SPRING_HOOKS = Set.of("SpringContextShutdownHook",
			"SpringApplicationShutdownHook");

	private static final Duration HOOKS_STARTED = Duration.ofMillis(100);

	private static final Duration CONTEXTS_CLOSED = Duration.ofSeconds(60);

	private static final Deque<Runnable> ACTIONS = new ArrayDeque<>();

	private ExitActions() {
	}

	static synchronized void add(Runnable action) {
		if (ACTIONS.isEmpty()) {
			Runtime.getRuntime().addShutdownHook(new Thread(ExitActions::run, "outbox-test-servers-exit"));
		}
		ACTIONS.push(action);
	}

	private static void run() {
		try {
			awaitSpring();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		synchronized (ExitActions.class) {
			ACTIONS.forEach(ExitActions::runOne);
		}
	}

	// The JVM starts all hooks at once, in no order. Boot's own way to run something
	// after its contexts does nothing in a JVM in which no SpringApplication ran.
	private static void awaitSpring() throws InterruptedException {
		Thread.sleep(HOOKS_STARTED.toMillis());
		for (Thread thread : Thread.getAllStackTraces().keySet()) {
			if (SPRING_HOOKS.contains(thread.getName())) {
				thread.join(CONTEXTS_CLOSED.toMillis());
			}
		}
	}

	private static void runOne(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			System.err.println("outbox-test-servers: " + ex.getMessage());
		}
	}

}
