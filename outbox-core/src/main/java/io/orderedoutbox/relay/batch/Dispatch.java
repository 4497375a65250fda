/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ReflectionUtils;

/**
 * Sends the sequences of one claim: many keys at a time, of each key one message at a
 * time unless keys are pipelined.
 * <ol>
 * <li>The worker sends the next message of every sequence that has none in flight, up to
 * the greatest number in flight. Where keys are pipelined, a sequence goes on at once,
 * after the others.</li>
 * <li>The broker confirms a message: it is published, and its sequence goes on with the
 * next message.</li>
 * <li>A message fails for a reason of its own: its sequence ends there. Nothing behind it
 * leaves; of a pipelined sequence some of it may have left.</li>
 * <li>The broker closes the channel because of something sent, or the sender throws
 * anything unexpected: every message in flight is in doubt. The worker sends them again
 * on a new channel before anything else, one message at a time and of each destination
 * one first. The one in flight when the broker closes that channel too is the culprit;
 * the others are in doubt no longer. A message that the broker is silent about meanwhile
 * does not stop the search. A pipelined sequence goes back to its first message in doubt,
 * and on from there one message at a time.</li>
 * <li>A message that {@link CircuitBreakers} suspect is sent first, and nothing beside it
 * for a moment; the others that they suspect are sent last, each alone. What goes to a
 * destination that is paused is not sent: it waits, without an attempt, and its sequence
 * ends.</li>
 * <li>What undoes the encoding of payloads takes long to say that it cannot do so for
 * now, for one message or for several together: the encoding is paused in the same way,
 * and everything else is sent.</li>
 * <li>The sender has several brokers, and cannot reach that of a message: its destination
 * is paused, the message waits without an attempt, and its sequence ends.</li>
 * <li>The broker is lost, confirms nothing, or refuses a channel on which nothing was
 * sent: the worker stops. What is in flight is unknown, stays in the outbox, and is sent
 * again in order.</li>
 * <li>The broker is silent about a message while it confirms one that was sent after it,
 * by this worker or another: the message has failed.</li>
 * <li>The relay is told to stop, or the claim is lost: the worker sends nothing more, and
 * waits for what is in flight.</li>
 * <li>The {@link BatchTime} is over: the worker sends nothing more but what is in doubt,
 * or it would not find the culprit, and waits for what is in flight. So a batch ends
 * soon, however many messages its keys have.</li>
 * <li>The broker answers no worker for several batch times: the batch is suspended, so
 * that it keeps no connection to the store. The worker sends nothing more, and waits for
 * what is in flight.</li>
 * </ol>
 */
public final class Dispatch {

	// In small portions a message costs more. As many keys as make it worth while to wait
	// a moment for one another, and how long
	private static final int MANY = 32;

	private static final Duration MOMENT = Duration.ofMillis(5);

	// Of the time of a batch, while nothing leaves beside what is put to a test
	private static final int TEST_SHARE = 10;

	private static final int MOST_DOUBLINGS = 10;

	private final Lease lease;

	private final WorkerSettings settings;

	private final CircuitBreakers breakers;

	private final BooleanSupplier stopping;

	private final LongSupplier clock;

	private final Results results;

	private final SendQueue queue;

	private final CulpritSearch search;

	private final InFlightMessages inFlight;

	private final BatchTime time;

	private final UnavailableTime unavailable;

	private @Nullable TransportException outage;

	private boolean suspended;

	// When the test of what was sent alone ends
	private long testUntil;

	private @Nullable Throwable notSuspended;

	/**
	 * Create it.
	 * @param stopping whether nothing more is to be sent
	 * @param askedAt when the worker asked for the claim, by the clock
	 */
	public Dispatch(Claim claim, WorkerSettings settings, CircuitBreakers breakers, BooleanSupplier stopping,
			LongSupplier clock, long askedAt) {
		this.lease = new Lease(claim, settings.renewInterval(), clock, askedAt);
		this.settings = settings;
		this.breakers = breakers;
		this.stopping = stopping;
		this.clock = clock;
		this.results = new Results(settings.retry());
		this.queue = new SendQueue(claim.sequences(), settings, breakers, this.results);
		this.search = new CulpritSearch(this.queue, breakers, this.results);
		this.time = new BatchTime(claim, settings, clock);
		this.unavailable = new UnavailableTime(breakers, settings.batchTime());
		this.inFlight = new InFlightMessages(new ConfirmDeadline(settings, breakers.answers(), clock));
	}

	/**
	 * Send until every sequence has ended, or nothing more can be sent.
	 * @param suspension what suspends the batch, called at most once
	 */
	void through(MessageSender sender, Runnable suspension) {
		try {
			sendAll(sender, suspension);
		}
		finally {
			this.search.end();
		}
		if (this.notSuspended != null) {
			ReflectionUtils.rethrowRuntimeException(this.notSuspended);
		}
	}

	private void sendAll(MessageSender sender, Runnable suspension) {
		boolean again = maySend();
		while (again) {
			again = false;
			try {
				sender.withChannel((channel) -> exchange(channel, suspension));
			}
			catch (TransportException ex) {
				this.outage = this.search.mustYield() ? null : ex;
			}
			catch (RuntimeException | Error ex) {
				again = findCulprit(ex) && isAnythingToSend() && maySend();
			}
		}
	}

	private boolean isAnythingToSend() {
		return isTimeOver() ? this.queue.hasDoubtful() : !this.queue.isEmpty();
	}

	private boolean isTimeOver() {
		return this.time.isOver(this.inFlight.size() + this.queue.size());
	}

	private void exchange(SendingChannel channel, Runnable suspension) {
		while (true) {
			sendWhatMayLeave(channel);
			if (this.inFlight.isEmpty()) {
				return;
			}
			Outcome outcome = channel.nextOutcome(patience());
			if (outcome != null) {
				settle(outcome, channel);
			}
			else if (this.inFlight.isOverdue()) {
				giveUpWaiting();
				return;
			}
			else if (this.queue.isTesting() && testLeft().isZero()) {
				this.queue.endTest();
			}
			else if (!this.suspended) {
				keepOrSuspend(suspension);
			}
		}
	}

	private Duration patience() {
		Duration patience = this.inFlight.patience(!this.suspended && this.lease.isDue());
		Duration test = this.queue.isTesting() ? testLeft() : patience;
		return (test.compareTo(patience) < 0) ? test : patience;
	}

	private Duration testLeft() {
		return Duration.ofNanos(Math.max(0, this.testUntil - this.clock.getAsLong()));
	}

	// Twice the time that the broker has taken lately, or everything would seem silent;
	// and twice the time of the test before, or a slow culprit would never be alone
	private long testTime(int testsBefore) {
		long batch = Math.min(this.settings.batchTime().toNanos(), this.settings.confirmTimeout().toNanos());
		long first = Math.max(batch / TEST_SHARE, Math.min(2 * this.breakers.answers().slowest(), batch));
		long longest = this.settings.confirmTimeout().toNanos() / 2;
		return Math.min(first << Math.min(testsBefore, MOST_DOUBLINGS), longest);
	}

	private void keepOrSuspend(Runnable suspension) {
		// A search for a culprit could not go on. It ends with the confirm timeout at the
		// latest
		boolean isSearching = this.queue.isTesting() || this.queue.hasDoubtful();
		if (this.inFlight.isBrokerSilent() && !isSearching && !this.lease.isLost()) {
			suspend(suspension);
		}
		else {
			this.lease.renew();
		}
	}

	// What is in flight can still be confirmed, even if the store cannot be reached
	private void suspend(Runnable suspension) {
		this.suspended = true;
		try {
			suspension.run();
		}
		catch (RuntimeException | Error ex) {
			this.notSuspended = ex;
		}
	}

	private void sendWhatMayLeave(SendingChannel channel) {
		while (isAnythingToSend() && !mustSettleFirst() && maySend()) {
			SequenceProgress next = isTimeOver() ? this.queue.nextInDoubt(this.inFlight.size())
					: this.queue.next(this.inFlight.size());
			if (next == null) {
				return;
			}
			send(next, channel);
		}
	}

	// What was handed to the channel may not have left yet. It must not leave after the
	// store was asked and has said that the claim is lost
	private boolean mustSettleFirst() {
		return this.lease.isDue() && !this.inFlight.isEmpty();
	}

	private void send(SequenceProgress next, SendingChannel channel) {
		InFlight sent = next.sent(this.clock.getAsLong());
		StoredMessage message = sent.message();
		this.inFlight.add(sent);
		if (!this.queue.isTestingFirst()) {
			this.time.begin();
		}
		MessageContext.enter(message);
		try {
			channel.send(message);
		}
		catch (ChannelRefusedException | TransportException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			this.inFlight.remove(sent);
			this.queue.settled(next, message.message().destination(), false);
			this.results.unsendable(sent, ex,
					this.unavailable.pauseAfter(message, ex, this.clock.getAsLong() - sent.sentAt()));
		}
		finally {
			MessageContext.leave();
		}
		if (this.queue.isTesting()) {
			this.testUntil = this.clock.getAsLong() + testTime(next.timesSetAside());
		}
		if (next.isPipelined() && next.advance()) {
			this.queue.add(next);
		}
	}

	private boolean maySend() {
		return !this.suspended && !this.search.mustYield() && this.lease.stands() && !this.stopping.getAsBoolean();
	}

	// All that is known or will be in a moment, so that what may leave then leaves
	// together
	private void settle(Outcome first, SendingChannel channel) {
		long gatherUntil = this.clock.getAsLong() + MOMENT.toNanos();
		Outcome outcome = first;
		while (outcome != null) {
			settle(outcome);
			outcome = this.inFlight.isEmpty() ? null : channel.nextOutcome(gathering(gatherUntil));
		}
	}

	private Duration gathering(long until) {
		boolean worthWhile = this.inFlight.size() >= MANY && this.queue.size() < this.inFlight.size();
		return worthWhile ? Duration.ofNanos(Math.max(0, until - this.clock.getAsLong())) : Duration.ZERO;
	}

	private void settle(Outcome outcome) {
		InFlight answered = this.inFlight.settled(outcome);
		if (answered == null) {
			return;
		}
		this.queue.settled(answered.progress(), answered.message().message().destination(), outcome.isOfBroker());
		if (outcome.reason() == FailureReason.PAUSED) {
			postpone(answered, outcome);
			return;
		}
		if (outcome.isOfBroker() && this.breakers.reached(answered.message())) {
			this.queue.reconsider();
		}
		if (outcome.error() != null) {
			this.results.failed(answered, outcome.reason(), outcome.error());
			return;
		}
		this.results.published(answered.message(), this.clock.getAsLong());
		if (!answered.progress().isPipelined() && answered.progress().advance()) {
			this.queue.add(answered.progress());
		}
	}

	private void postpone(InFlight message, Outcome outcome) {
		String reason = (outcome.error() != null) ? outcome.error() : "not reachable";
		this.breakers.silent(message.message(), reason);
		CircuitBreakers.Pause pause = this.breakers.pauseOf(message.message());
		this.results.postponed(message.message(),
				(pause != null) ? pause : new CircuitBreakers.Pause(reason, Duration.ZERO));
		message.progress().end();
	}

	private boolean findCulprit(Throwable refusal) {
		ChannelRefusedException closed = (refusal instanceof ChannelRefusedException ex) ? ex : null;
		String reason = (closed != null) ? String.valueOf(closed.getMessage()) : ErrorText.of(refusal);
		List<InFlight> inDoubt = this.inFlight.removeAll();
		if (closed != null && !inDoubt.isEmpty()) {
			InFlight latest = inDoubt.get(inDoubt.size() - 1);
			this.breakers.answers().closed(latest.sentAt(), this.settings.confirmTimeout().toNanos());
		}
		boolean ofConnection = closed != null && closed.isOfConnection();
		boolean found = this.search.closed(inDoubt, reason, ofConnection);
		if (!found && !this.search.mustYield()) {
			this.outage = new TransportException("The sender cannot work: " + reason, refusal);
		}
		return found;
	}

	// A broker that is silent altogether is an outage, even if it has answered before
	private void giveUpWaiting() {
		String silence = "no confirm from the broker within " + this.settings.confirmTimeout();
		List<InFlight> passedOver = this.inFlight.passedOver();
		if (passedOver.isEmpty()) {
			throw new TransportException(silence, null);
		}
		passedOver.forEach((message) -> {
			this.breakers.silent(message.message(), silence);
			this.results.failed(message, FailureReason.UNCONFIRMED, silence);
		});
	}

	Results results() {
		return this.results;
	}

	/**
	 * Whether any message was confirmed or has failed.
	 * @return whether there is something to settle
	 */
	public boolean hasResults() {
		return !this.results.isEmpty();
	}

	/**
	 * Whether the batch has ended because another worker looks for a message.
	 * @return whether to wait for it, and to send then what is left
	 */
	public boolean hasYielded() {
		return this.search.mustYield();
	}

	boolean isClaimLost() {
		return this.lease.isLost();
	}

	/**
	 * Return why the broker could not be reached.
	 * @return the failure, {@code null} if the broker was there
	 */
	public @Nullable TransportException outage() {
		return this.outage;
	}

}
