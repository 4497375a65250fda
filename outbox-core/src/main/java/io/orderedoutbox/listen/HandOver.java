/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.listen;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.store.StoredMessage;

/**
 * Hands a message to its listeners: undoes its payload, and calls one listener after the
 * other. What the decoder throws comes out of it, and what a listener throws is the
 * outcome.
 * <p>
 * Guaranteed: after {@link #giveUp} it calls no further listener, even if an interrupt
 * changes nothing about what it does at that moment.
 */
final class HandOver implements Callable<Outcome> {

	private final StoredMessage message;

	private final List<ListenerMethod> takers;

	private final UnaryOperator<StoredMessage> decoder;

	private final PayloadReader reader;

	private final AtomicReference<Step> step = new AtomicReference<>(Step.DECODING);

	private volatile boolean isRunning;

	HandOver(StoredMessage message, List<ListenerMethod> takers, UnaryOperator<StoredMessage> decoder,
			PayloadReader reader) {
		this.message = message;
		this.takers = takers;
		this.decoder = decoder;
		this.reader = reader;
	}

	@Override
	public Outcome call() {
		this.isRunning = true;
		try {
			return undoneAndHandedOver();
		}
		finally {
			this.isRunning = false;
		}
	}

	private Outcome undoneAndHandedOver() {
		StoredMessage decoded = this.decoder.apply(this.message);
		Correlation.Scope correlation = correlation(decoded).open();
		try {
			return handOver(decoded);
		}
		finally {
			correlation.close();
		}
	}

	@SuppressWarnings("CatchingUnchecked") // whatever a listener throws fails its message
	private Outcome handOver(StoredMessage decoded) {
		for (ListenerMethod taker : this.takers) {
			if (!mayBegin()) {
				return Outcome.failed(decoded.id(), "given up before " + taker);
			}
			try {
				taker.take(decoded, this.reader);
			}
			catch (Throwable ex) {
				return Outcome.failed(decoded.id(), "%s: %s".formatted(taker, ex), FailureReason.REFUSED);
			}
		}
		return Outcome.published(decoded.id());
	}

	private boolean mayBegin() {
		return this.step
			.updateAndGet((before) -> (before != Step.GIVEN_UP) ? Step.LISTENING : before) == Step.LISTENING;
	}

	private static Correlation correlation(StoredMessage message) {
		String messageId = message.message().messageId().toString();
		Object header = message.message().headers().get(Correlation.CORRELATION_ID_HEADER);
		return new Correlation((header != null && !header.toString().isBlank()) ? header.toString() : messageId,
				messageId);
	}

	/**
	 * Let no further listener begin. Nobody asks for the outcome any more.
	 * @return whether a listener had begun
	 */
	boolean giveUp() {
		return this.step.getAndSet(Step.GIVEN_UP) == Step.LISTENING;
	}

	/** Return whether it keeps a thread. One that was cancelled in time never does. */
	boolean isRunning() {
		return this.isRunning;
	}

	private enum Step {

		DECODING, LISTENING, GIVEN_UP

	}

}
