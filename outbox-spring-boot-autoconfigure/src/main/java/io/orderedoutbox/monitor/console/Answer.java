/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.monitor.console;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.orderedoutbox.OutboxConfigurationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionException;
import org.springframework.util.StringUtils;

/**
 * What a request is answered with.
 *
 * @param status the HTTP status
 * @param body what was asked for, or the problem
 */
record Answer(int status, Object body) {

	private static final Logger logger = LoggerFactory.getLogger(OutboxConsole.class);

	private static final AtomicReference<String> COMPLAINT = new AtomicReference<>("");

	/**
	 * Do what was asked for. An empty optional means that there is no such thing; an
	 * answer is taken as it is.
	 * @param database how errors call the database
	 */
	static Answer of(Supplier<String> database, Supplier<?> work) {
		try {
			Object result = work.get();
			if (result instanceof Optional<?> optional) {
				return optional.map((found) -> new Answer(200, found))
					.orElseGet(() -> notFound("There is no such message"));
			}
			return (result instanceof Answer answer) ? answer : new Answer(200, result);
		}
		catch (IllegalArgumentException ex) {
			return problem(400, String.valueOf(ex.getMessage()));
		}
		catch (OutboxConfigurationException ex) {
			return problem(409, "%s %s".formatted(ex.getDescription(), ex.getRemedy()));
		}
		catch (TransientDataAccessException | RecoverableDataAccessException | NonTransientDataAccessResourceException
				| TransactionException ex) {
			logger.debug("A request about the outbox could not be answered", ex);
			return problem(503, silence(database.get(), ex));
		}
		catch (RuntimeException ex) {
			complain(ex);
			return problem(500, "This could not be done: the log of the application says why");
		}
	}

	// An exception that names the database says all there is to say
	private static String silence(String database, RuntimeException failure) {
		return causes(failure).map((cause) -> String.valueOf(cause.getMessage()))
			.filter((message) -> message.contains(database))
			.findFirst()
			.map(StringUtils::capitalize)
			.orElseGet(() -> (isLost(failure) ? "The connection to the database %s was lost: %s"
					: "The database %s does not answer: %s")
				.formatted(database, NestedExceptionUtils.getMostSpecificCause(failure).getMessage()));
	}

	// A time-out is of the network as well, but the connection may be there
	private static boolean isLost(RuntimeException failure) {
		return causes(failure).noneMatch(SocketTimeoutException.class::isInstance) && causes(failure)
			.anyMatch((cause) -> cause instanceof IOException || cause instanceof SQLNonTransientConnectionException
					|| (cause instanceof SQLException sql && isOfConnection(sql.getSQLState())));
	}

	// 57P is PostgreSQL's: its administrator has ended the connection
	private static boolean isOfConnection(@Nullable String state) {
		return state != null && (state.startsWith("08") || state.startsWith("57P"));
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
	}

	// The page asks again and again
	private static void complain(RuntimeException ex) {
		if (isNews(ex)) {
			logger.atWarn()
				.setCause(ex)
				.addKeyValue("error", ex.toString())
				.log("A request about the outbox could not be answered");
		}
		else {
			logger.debug("Another request about the outbox could not be answered", ex);
		}
	}

	private static boolean isNews(RuntimeException ex) {
		String complaint = ex.toString();
		return !complaint.equals(COMPLAINT.getAndSet(complaint));
	}

	static Answer notFound(String problem) {
		return problem(404, problem);
	}

	static Answer problem(int status, String problem) {
		return new Answer(status, Map.of("problem", problem));
	}

}
