/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.sql.SQLException;
import java.util.stream.Stream;

import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.TransportException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes by itself, and what does not.
 */
@Tag("unit")
class WorkFailureTests {

	@Test
	void aBrokerThatWasLostIsAnOutage() {
		assertThat(WorkFailure.of(new TransportException("lost", null))).isEqualTo(WorkFailure.BROKER_OUTAGE);
	}

	static Stream<Throwable> storeOutages() {
		return Stream.of(new DataAccessResourceFailureException("lost"), new CannotAcquireLockException("waited"),
				new QueryTimeoutException("slow"), new CannotCreateTransactionException("no connection"),
				new TransactionSystemException("commit without an answer"),
				new UncategorizedSQLException("", "", new SQLException("unknown")));
	}

	@ParameterizedTest
	@MethodSource("storeOutages")
	void aStoreThatWasLostOrCannotWorkForAWhileIsAnOutage(Throwable failure) {
		assertThat(WorkFailure.of(failure)).isEqualTo(WorkFailure.STORE_OUTAGE);
	}

	static Stream<Throwable> unforeseen() {
		return Stream.of(new DataIntegrityViolationException("refused"),
				new InvalidDataAccessResourceUsageException("no such table"),
				new BadSqlGrammarException("", "", new SQLException("no such column")),
				new IllegalStateException("mishap"), new NoClassDefFoundError("mishap"),
				new ChannelRefusedException("closed"));
	}

	@ParameterizedTest
	@MethodSource("unforeseen")
	void whatWillNotPassByItselfIsNoOutage(Throwable failure) {
		assertThat(WorkFailure.of(failure)).isEqualTo(WorkFailure.UNFORESEEN);
	}

}
