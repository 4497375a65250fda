/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import io.orderedoutbox.Destination;
import io.orderedoutbox.payload.EncodedPayload;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a relay have learnt about messages and destinations that did harm
 * to their neighbours: the broker closed the channel because of them, or was silent about
 * them and kept a batch waiting.
 * <ol>
 * <li>Refused: a message because of which the broker closed the channel is suspect, and
 * so is its exchange, of which it may be a mere victim. What is suspect is sent alone,
 * when nothing else is in flight.</li>
 * <li>Refused three messages in a row: the exchange is paused, longer each time. While it
 * is paused nothing is sent to it, and nothing that waits for it spends an attempt. After
 * the pause it is suspect. One message, however often it is refused, does not pause it:
 * its neighbours may well be taken.</li>
 * <li>Silent: one destination, that is exchange and routing key together, is paused at
 * once. A neighbour on the same exchange may well be confirmed. After the pause a batch
 * sends one message there, until the broker has answered for one.</li>
 * <li>Unavailable: what undoes an encoding of payloads took long to say that it cannot do
 * so for now. The encoding is paused, longer each time: otherwise a batch would spend its
 * time on that, and the messages of other keys would wait. What listeners in the same
 * application undo is paused for messages of one name.</li>
 * <li>Answered: suspicion and pause are over, whatever the answer is. The destination is
 * there, and not silent, and so is what undoes the encoding.</li>
 * </ol>
 */
public final class CircuitBreakers {

	// Enough to tell apart, and little enough to keep: what is forgotten is learnt again
	private static final int MOST = 10_000;

	private static final int STRIKES = 3;

	private final RetryPolicy pauses;

	private final LongSupplier clock;

	private final BrokerAnswers answers;

	private final SearchTurn searchTurn = new SearchTurn();

	// Asked for every message that is sent
	private volatile boolean nothingKnown = true;

	private final Map<Object, Known> records = new LinkedHashMap<>() {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Object, Known> eldest) {
			return size() > MOST;
		}

	};

	/**
	 * Create circuit breakers, all closed.
	 * @param pauses how long a destination is left alone after each failure in a row
	 */
	public CircuitBreakers(RetryPolicy pauses) {
		this(pauses, System::nanoTime);
	}

	/**
	 * Create circuit breakers with a clock of their own, all closed.
	 * @param pauses how long a destination is left alone after each failure in a row
	 * @param clock monotonic time in nanoseconds
	 */
	public CircuitBreakers(RetryPolicy pauses, LongSupplier clock) {
		this.pauses = pauses;
		this.clock = clock;
		this.answers = new BrokerAnswers(clock);
	}

	/**
	 * When the broker has answered the same workers.
	 */
	BrokerAnswers answers() {
		return this.answers;
	}

	/**
	 * Which of the same workers looks for a message because of which the broker closes
	 * the connection.
	 */
	SearchTurn searchTurn() {
		return this.searchTurn;
	}

	/**
	 * Whether another of these workers looks for such a message.
	 * @return whether the current thread could send nothing
	 */
	public boolean isSearchOfAnother() {
		return this.searchTurn.isOfAnother();
	}

	/**
	 * Wait until no other of these workers looks for such a message, or the current
	 * thread is interrupted.
	 */
	public void awaitSearch() {
		this.searchTurn.awaitEnd();
	}

	/**
	 * Whether the message has to be sent alone.
	 */
	boolean isSuspect(StoredMessage message) {
		if (this.nothingKnown) {
			return false;
		}
		synchronized (this) {
			return this.records.containsKey(message.id()) || this.records.containsKey(exchange(message));
		}
	}

	/**
	 * Whether the broker was silent about messages to this destination, and has answered
	 * for none since.
	 */
	boolean wasSilent(StoredMessage message) {
		if (this.nothingKnown) {
			return false;
		}
		synchronized (this) {
			return this.records.containsKey(message.message().destination());
		}
	}

	/**
	 * Why nothing is sent where the message goes, and for how long; null if it may be
	 * sent.
	 */
	@Nullable Pause pauseOf(StoredMessage message) {
		if (this.nothingKnown) {
			return null;
		}
		synchronized (this) {
			Pause pause = pause(this.records.get(exchange(message)));
			pause = (pause != null) ? pause : pause(this.records.get(message.message().destination()));
			return (pause != null) ? pause : pause(this.records.get(Encoding.of(message)));
		}
	}

	private @Nullable Pause pause(@Nullable Known known) {
		if (known == null || known.pausedUntil() == null) {
			return null;
		}
		long left = known.pausedUntil() - this.clock.getAsLong();
		return (left > 0) ? new Pause(known.reason(), Duration.ofNanos(left)) : null;
	}

	/**
	 * The channel was closed because of the message.
	 */
	synchronized void refused(StoredMessage message, String reason) {
		this.nothingKnown = false;
		boolean again = this.records.put(message.id(), new Known(1, null, reason, false)) != null;
		this.records.compute(exchange(message), (exchange, known) -> {
			int strikes = (known != null) ? known.strikes() + 1 : 1;
			boolean nothingNew = pause(known) != null || (again && strikes <= STRIKES);
			if (known != null && nothingNew) {
				return known;
			}
			if (strikes < STRIKES) {
				return new Known(strikes, null, reason, false);
			}
			Duration pause = this.pauses.delay(strikes - STRIKES + 1);
			if (known == null || !known.isTold()) {
				CircuitBreakerLog.paused(exchange(message), pause, reason);
			}
			return paused(strikes, pause, reason, true);
		});
	}

	/**
	 * The message was not confirmed, while others were.
	 */
	synchronized void silent(StoredMessage message, String reason) {
		this.nothingKnown = false;
		Destination destination = message.message().destination();
		Known known = this.records.get(destination);
		if (pause(known) != null) {
			return;
		}
		boolean told = (known != null) ? known.isTold() : !isAnyPaused(destination.exchange());
		Duration pause = pause(destination, known, reason, told);
		if (known == null && told) {
			CircuitBreakerLog.paused(destination, pause, reason);
		}
	}

	/**
	 * The payload of the message could not be had for now, and it took long to find out,
	 * perhaps for several messages together.
	 * @return how long the messages wait whose payloads have the same encoding; zero if
	 * it has none, and nothing is known of others
	 */
	synchronized Duration unavailable(StoredMessage message, String reason) {
		Encoding encoding = Encoding.of(message);
		if (encoding.names().isEmpty()) {
			return Duration.ZERO;
		}
		this.nothingKnown = false;
		Known known = this.records.get(encoding);
		Pause before = pause(known);
		if (before != null) {
			return before.left();
		}
		Duration pause = pause(encoding, known, reason, true);
		if (known == null) {
			CircuitBreakerLog.paused(encoding, pause, reason);
		}
		return pause;
	}

	private Duration pause(Object where, @Nullable Known known, String reason, boolean told) {
		int strikes = (known != null) ? known.strikes() + 1 : 1;
		Duration pause = this.pauses.delay(strikes);
		this.records.put(where, paused(strikes, pause, reason, told));
		return pause;
	}

	// A queue in trouble may silence a thousand routing keys at once: one line
	private boolean isAnyPaused(String exchange) {
		return this.records.entrySet()
			.stream()
			.anyMatch((entry) -> entry.getKey() instanceof Destination destination
					&& destination.exchange().equals(exchange) && pause(entry.getValue()) != null);
	}

	private Known paused(int strikes, Duration pause, String reason, boolean told) {
		return new Known(strikes, this.clock.getAsLong() + pause.toNanos(), reason, told);
	}

	/**
	 * The broker has answered for the message, in whatever way.
	 * @return whether its exchange was suspect until now
	 */
	boolean reached(StoredMessage message) {
		if (this.nothingKnown) {
			return false;
		}
		synchronized (this) {
			this.records.remove(message.id());
			Known exchange = this.records.remove(exchange(message));
			if (exchange != null && exchange.isTold()) {
				CircuitBreakerLog.free(exchange(message));
			}
			Known destination = this.records.remove(message.message().destination());
			if (destination != null && destination.isTold()) {
				CircuitBreakerLog.free(message.message().destination());
			}
			if (this.records.remove(Encoding.of(message)) != null) {
				CircuitBreakerLog.free(Encoding.of(message));
			}
			this.nothingKnown = this.records.isEmpty();
			return exchange != null;
		}
	}

	private static String exchange(StoredMessage message) {
		return message.message().destination().exchange();
	}

	/**
	 * A time in which nothing is sent somewhere.
	 *
	 * @param reason the error that led to it
	 * @param left how much longer it lasts
	 */
	record Pause(String reason, Duration left) {

	}

	/**
	 * What has to be undone of a payload before it is handed over.
	 *
	 * @param names the names of transformers, empty for nothing
	 * @param messageName the name of the messages if listeners in the same application
	 * undo it, empty if the relay does. A broker gets other messages with the same names
	 * as they are; all of one name have the same sender
	 */
	record Encoding(String names, String messageName) {

		static Encoding of(StoredMessage stored) {
			Message message = stored.message();
			Object ofRelay = message.headers().get(EncodedPayload.RELAY_HEADER);
			if (ofRelay != null) {
				return new Encoding(ofRelay.toString(), "");
			}
			Object ofListeners = message.headers().get(EncodedPayload.CONSUMER_HEADER);
			return (ofListeners != null) ? new Encoding(ofListeners.toString(), message.name()) : new Encoding("", "");
		}

	}

	private record Known(int strikes, @Nullable Long pausedUntil, String reason, boolean isTold) {

	}

}
