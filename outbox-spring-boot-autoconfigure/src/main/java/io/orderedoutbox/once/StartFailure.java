/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.once;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;

import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Gives a one-shot relay, or a script that was to be printed, that could not even start
 * its exit code: otherwise the process would end with 1 after any failure. An application
 * whose mode is misspelt counts as one.
 * <p>
 * Boot asks exceptions of the application for their exit codes, and beans that know those
 * of others, of which there are none yet. So this waits until Boot has reported the
 * failure and the {@code main} method has ended, and ends the process. What the failed
 * start has left running does not keep it alive.
 */
public final class StartFailure implements ApplicationListener<ApplicationFailedEvent> {

	private static final String MODE = "outbox.relay.mode";

	private static final String PRINT = "outbox.jdbc.print-schema";

	@Override
	public void onApplicationEvent(ApplicationFailedEvent event) {
		ConfigurableApplicationContext context = event.getApplicationContext();
		if (context == null || !isMain(Thread.currentThread())
				|| !(isOnce(context.getEnvironment()) || isUnknownMode(event.getException()))) {
			return;
		}
		ExitCode exitCode = exitCode(event.getException());
		Thread main = Thread.currentThread();
		new Thread(() -> endAfter(main, exitCode), "outbox-one-shot-exit").start();
	}

	private static void endAfter(Thread main, ExitCode exitCode) {
		try {
			main.join();
			System.exit(exitCode.code());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	// A test that starts an application has another thread, or goes on with this one
	private static boolean isMain(Thread thread) {
		return "main".equals(thread.getName()) || "restartedMain".equals(thread.getName());
	}

	private static boolean isOnce(Environment environment) {
		return "once".equals(Choice.of(environment, MODE)) || !Choice.of(environment, PRINT).isEmpty();
	}

	// The mode may have been meant to be once, and no relay has begun that the exit could
	// disturb
	private static boolean isUnknownMode(Throwable failure) {
		return causes(failure)
			.anyMatch((cause) -> cause instanceof BindException bind && MODE.equals(bind.getName().toString()));
	}

	static ExitCode exitCode(Throwable failure) {
		if (causes(failure).anyMatch(StartFailure::isUnreachable)) {
			return ExitCode.UNREACHABLE;
		}
		return causes(failure).anyMatch(StartFailure::isBadOption) ? ExitCode.BAD_OPTIONS : ExitCode.FAILED;
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	private static boolean isBadOption(Throwable cause) {
		return cause instanceof BindException || cause instanceof OutboxConfigurationException;
	}

	private static boolean isUnreachable(Throwable cause) {
		boolean connection = cause instanceof SQLException sql && sql.getSQLState() != null
				&& sql.getSQLState().startsWith("08");
		return connection || cause instanceof SQLTransientConnectionException
				|| cause instanceof SQLNonTransientConnectionException || cause instanceof ConnectException
				|| cause instanceof UnknownHostException;
	}

}
