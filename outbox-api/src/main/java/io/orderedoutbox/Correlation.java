/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a message belongs to, and what it follows from. What is published while a
 * correlation is open on the thread carries both as headers, unless it is stamped with
 * its own.
 * <p>
 * While a {@code @RabbitListener} processes a message, the correlation of that message is
 * open. Elsewhere the application can open one:
 * {@code new Correlation(requestId, null).run(() -> orders.place(order))}.
 *
 * @param correlationId what all messages that belong together have in common
 * @param causationId the id of the message that led to this one, {@code null} if there is
 * none
 */
public record Correlation(String correlationId, @Nullable String causationId) {

	/**
	 * Name of the header that carries the correlation id.
	 */
	public static final String CORRELATION_ID_HEADER = "x-correlation-id";

	/**
	 * Name of the header that carries the causation id.
	 */
	public static final String CAUSATION_ID_HEADER = "x-causation-id";

	private static final ThreadLocal<@Nullable Correlation> CURRENT = new ThreadLocal<>();

	/**
	 * Create a correlation.
	 * @throws IllegalArgumentException if the correlation id is empty
	 */
	public Correlation {
		Require.that(correlationId != null && !correlationId.isBlank(), "'correlationId' must not be empty");
	}

	/**
	 * Return the correlation that is open on this thread.
	 * @return the correlation, or {@code null} if there is none
	 */
	public static @Nullable Correlation current() {
		return CURRENT.get();
	}

	/**
	 * Open this correlation on this thread.
	 * @return to be closed on this thread, which brings back what was open before
	 */
	public Scope open() {
		Correlation before = current();
		setCurrent(this);
		return () -> setCurrent(before);
	}

	/**
	 * Say which correlation is open on this thread: for code that hands work on to
	 * another thread. That code must afterwards call this again with what was open
	 * before.
	 * @param correlation the correlation, or {@code null} for none
	 */
	public static void setCurrent(@Nullable Correlation correlation) {
		if (correlation != null) {
			CURRENT.set(correlation);
		}
		else {
			CURRENT.remove();
		}
	}

	/**
	 * Do some work while this correlation is open on this thread.
	 * @param work the work
	 */
	public void run(Runnable work) {
		Scope scope = open();
		try {
			work.run();
		}
		finally {
			scope.close();
		}
	}

	/**
	 * Return what a message carries of it.
	 * @return values by name
	 */
	public Map<String, String> headers() {
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put(CORRELATION_ID_HEADER, this.correlationId);
		if (this.causationId != null) {
			headers.put(CAUSATION_ID_HEADER, this.causationId);
		}
		return headers;
	}

	/**
	 * The time in which a correlation is open.
	 */
	@FunctionalInterface
	public interface Scope extends AutoCloseable {

		@Override
		void close();

	}

}
