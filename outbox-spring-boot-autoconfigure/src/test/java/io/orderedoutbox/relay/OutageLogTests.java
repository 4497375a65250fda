/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.util.List;

import io.orderedoutbox.relay.RelayStatus.Outage;
import io.orderedoutbox.send.TransportException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is said of an outage, and how often.
 */
@Tag("unit")
@ExtendWith(OutputCaptureExtension.class)
class OutageLogTests {

	private final OutageLog outages = new OutageLog();

	@Test
	void anOutageIsSaidOnceAndItsEndOnce(CapturedOutput output) {
		for (int worker = 1; worker <= 5; worker++) {
			lose(this.outages.begin(), "away");
		}
		assertThat(reason()).contains("away");
		for (int worker = 1; worker <= 5; worker++) {
			assertThat(works(this.outages.begin(), true)).isTrue();
		}
		assertThat(reason()).isNull();
		assertThat(occurrences(output, "The relay cannot work")).isOne();
		assertThat(occurrences(output, "The relay works again")).isOne();
	}

	@Test
	void whatAWorkerBeganBeforeTheEndIsNoNewOutage(CapturedOutput output) {
		long begun = this.outages.begin();
		lose(this.outages.begin(), "away");
		works(this.outages.begin(), true);
		lose(begun, "away");
		assertThat(reason()).isNull();
		assertThat(occurrences(output, "The relay cannot work")).isOne();
		lose(this.outages.begin(), "away again");
		assertThat(reason()).contains("away again");
		assertThat(occurrences(output, "The relay cannot work")).isEqualTo(2);
	}

	@Test
	void whatAWorkerBeganBeforeTheLastFailureProvesNothing() {
		long begun = this.outages.begin();
		lose(this.outages.begin(), "away");
		assertThat(works(begun, true)).isFalse();
		assertThat(reason()).contains("away");
	}

	@Test
	void whoHasNothingToDoProvesNothingWhileAnotherIsAtWork() {
		lose(this.outages.begin(), "away");
		long other = this.outages.begin();
		assertThat(works(this.outages.begin(), false)).isFalse();
		lose(other, "still away");
		assertThat(reason()).contains("still away");
		assertThat(works(this.outages.begin(), false)).isTrue();
		assertThat(reason()).isNull();
	}

	@Test
	void whoPublishesProvesThatTheRelayWorksWhoeverIsAtWork() {
		lose(this.outages.begin(), "away");
		this.outages.begin();
		assertThat(works(this.outages.begin(), true)).isTrue();
		assertThat(reason()).isNull();
	}

	@Test
	void anOutageIsToldInWordsAndWithoutNamesOfClasses(CapturedOutput output) {
		lose(this.outages.begin(), "RabbitMQ cannot be reached at shop:5672");
		assertThat(reason()).isEqualTo("RabbitMQ cannot be reached at shop:5672");
		assertThat(output).contains("The relay cannot work: RabbitMQ cannot be reached at shop:5672. Messages");
		Throwable cause = new IllegalStateException("Lock wait timeout exceeded");
		for (RuntimeException failure : List
			.of(new QueryTimeoutException("PreparedStatementCallback; SQL [SELECT 1]; Lock wait timeout exceeded",
					cause), new CannotCreateTransactionException("Lock", cause))) {
			this.outages.lost(failure, this.outages.begin());
			assertThat(reason()).endsWith("Lock wait timeout exceeded")
				.doesNotContain("Exception", "Callback", "SELECT");
		}
		this.outages.lost(new TransportException("", null), this.outages.begin());
		assertThat(reason()).as("without a message").contains("TransportException");
	}

	@Test
	void anUnforeseenFailureIsSaidOnceWithWhereItHappened(CapturedOutput output) {
		this.outages.failed(new IllegalStateException("mishap"), System.nanoTime());
		this.outages.failed(new IllegalStateException("mishap"), System.nanoTime());
		assertThat(reason()).isEqualTo("java.lang.IllegalStateException: mishap");
		assertThat(occurrences(output, "A relay worker failed")).isOne();
		assertThat(output).contains("at io.orderedoutbox.relay.OutageLogTests");
	}

	private void lose(long begunAt, String reason) {
		this.outages.lost(new TransportException(reason, null), begunAt);
		this.outages.end();
	}

	private boolean works(long begunAt, boolean published) {
		boolean works = this.outages.works(begunAt, published);
		this.outages.end();
		return works;
	}

	private static int occurrences(CapturedOutput output, String text) {
		return StringUtils.countOccurrencesOf(output.getAll(), text);
	}

	private String reason() {
		Outage outage = this.outages.outage();
		return (outage != null) ? outage.reason() : null;
	}

}
