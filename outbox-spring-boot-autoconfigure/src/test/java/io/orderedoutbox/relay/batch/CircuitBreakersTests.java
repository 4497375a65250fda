/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.ManualClock;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is learnt from refusals and silence, and how it is forgotten.
 */
@Tag("unit")
class CircuitBreakersTests {

	private static final Duration FIRST = Duration.ofMinutes(1);

	private final ManualClock clock = new ManualClock();

	private final CircuitBreakers breakers = new CircuitBreakers(new RetryPolicy(FIRST, 2, Duration.ofHours(1), 0),
			this.clock);

	@Test
	void nothingIsSuspectAtFirst() {
		assertThat(this.breakers.isSuspect(message(1, "orders"))).isFalse();
		assertThat(this.breakers.pauseOf(message(1, "orders"))).isNull();
	}

	@Test
	void oneMessageHoweverOftenItIsRefusedDoesNotPauseTheExchangeThatItsNeighboursUse() {
		for (int refusal = 1; refusal <= 20; refusal++) {
			this.breakers.refused(message(1, "orders"), "406");
		}
		assertThat(this.breakers.pauseOf(message(2, "orders"))).isNull();
		assertThat(this.breakers.isSuspect(message(1, "orders"))).isTrue();
		assertThat(this.breakers.isSuspect(message(2, "orders"))).isTrue();
	}

	@Test
	void threeMessagesInARowPauseTheirExchangeAndNoOther() {
		refuse("orders", 1, 2);
		assertThat(this.breakers.pauseOf(message(9, "orders"))).isNull();
		refuse("orders", 3);
		assertThat(this.breakers.pauseOf(message(9, "orders"))).isNotNull()
			.satisfies((pause) -> assertThat(pause.left()).isBetween(FIRST.minusSeconds(10), FIRST))
			.satisfies((pause) -> assertThat(pause.reason()).isEqualTo("404"));
		assertThat(this.breakers.pauseOf(message(9, "payments"))).isNull();
	}

	@Test
	void whatWorkersFindOutTogetherIsOnePause() {
		refuse("orders", 1, 2, 3, 4, 5, 6, 7, 8);
		assertThat(this.breakers.pauseOf(message(9, "orders")).left()).isLessThanOrEqualTo(FIRST);
	}

	@Test
	void eachFurtherPauseIsLonger() {
		refuse("orders", 1, 2, 3);
		this.clock.advance(FIRST);
		assertThat(this.breakers.pauseOf(message(9, "orders"))).isNull();
		refuse("orders", 1);
		assertThat(this.breakers.pauseOf(message(9, "orders")).left()).isBetween(FIRST.multipliedBy(2).minusSeconds(1),
				FIRST.multipliedBy(2));
	}

	@Test
	void aMessageThatIsTakenEndsSuspicionAndPauseOfItsExchange() {
		refuse("orders", 1, 2, 3);
		this.breakers.reached(message(4, "orders"));
		assertThat(this.breakers.pauseOf(message(9, "orders"))).isNull();
		assertThat(this.breakers.isSuspect(message(9, "orders"))).isFalse();
		assertThat(this.breakers.isSuspect(message(1, "orders"))).as("found guilty on its own").isTrue();
		refuse("orders", 5, 6);
		assertThat(this.breakers.pauseOf(message(9, "orders"))).isNull();
	}

	@Test
	void manyMessagesThatAreSilentTogetherAreOnePauseOfTheirDestination() {
		for (long id = 1; id <= 50; id++) {
			this.breakers.silent(message(id, "orders"), "no confirm");
		}
		assertThat(this.breakers.pauseOf(message(99, "orders")).left()).isLessThanOrEqualTo(FIRST);
		assertThat(this.breakers.pauseOf(to(new Destination("orders", "elsewhere"), 99))).isNull();
	}

	@Test
	void aPauseIsOneLineAndItsEndAnother() {
		List<ILoggingEvent> lines = linesOf(() -> {
			for (long id = 1; id <= 20; id++) {
				refuse("orders", id);
				this.clock.advance(Duration.ofHours(1));
				assertThat(this.breakers.pauseOf(message(9, "orders"))).isNull();
			}
			this.breakers.reached(message(21, "orders"));
			this.breakers.reached(message(22, "orders"));
		});
		assertThat(lines).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.INFO);
		assertThat(lines).allSatisfy(
				(line) -> assertThat(keys(line)).containsEntry("exchange", "orders").doesNotContainKey("routing_key"));
		assertThat(keys(lines.get(0))).containsEntry("state", "paused").containsEntry("error", "404");
		assertThat(keys(lines.get(1))).containsEntry("state", "works");
	}

	@Test
	void aThousandSilentDestinationsOfAnExchangeAreOneLine() {
		List<ILoggingEvent> lines = linesOf(() -> {
			for (long id = 1; id <= 1000; id++) {
				this.breakers.silent(to(new Destination("orders", "key-" + id), id), "no confirm");
			}
			this.breakers.silent(message(1001, "payments"), "no confirm");
			for (long id = 1; id <= 1000; id++) {
				this.breakers.reached(to(new Destination("orders", "key-" + id), id));
			}
		});
		assertThat(lines).extracting((line) -> keys(line).get("routing_key")).containsExactly("key-1", "key", "key-1");
		assertThat(lines).extracting(ILoggingEvent::getLevel).containsExactly(Level.WARN, Level.WARN, Level.INFO);
	}

	private static List<ILoggingEvent> linesOf(Runnable work) {
		Logger logger = (Logger) LoggerFactory.getLogger(CircuitBreakers.class);
		ListAppender<ILoggingEvent> lines = new ListAppender<>();
		lines.start();
		logger.addAppender(lines);
		try {
			work.run();
		}
		finally {
			logger.detachAppender(lines);
		}
		return lines.list;
	}

	private static Map<String, Object> keys(ILoggingEvent line) {
		return line.getKeyValuePairs().stream().collect(Collectors.toMap((pair) -> pair.key, (pair) -> pair.value));
	}

	private void refuse(String exchange, long... ids) {
		for (long id : ids) {
			this.breakers.refused(message(id, exchange), "404");
		}
	}

	private static StoredMessage message(long id, String exchange) {
		return to(new Destination(exchange, "key"), id);
	}

	private static StoredMessage to(Destination destination, long id) {
		Message message = new Message(new UUID(0, id), "order.placed", "", destination, "text/plain", new byte[0],
				Map.of());
		return new StoredMessage(id, message, Instant.EPOCH, 0, null);
	}

}
