/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link SendingChannel} over the channels of several senders.
 * <ol>
 * <li>A message is handed to the channel of its sender. Before that, what another channel
 * has been given leaves: a call of a sender may take long, and what a channel holds back
 * meanwhile would be too old to leave.</li>
 * <li>Wait for each sender that has messages in flight, in turn.</li>
 * <li>A sender has had nothing to say of any message for the confirm timeout, to this
 * worker or another: it is lost. What other senders say is no sign that it answers. If it
 * was silent about some messages only, the relay finds that out by itself.</li>
 * </ol>
 */
final class RoutingChannel implements SendingChannel {

	// How long one channel is waited for while another has messages in flight as well
	private static final Duration TURN = Duration.ofMillis(2);

	private static final Duration SHORTEST = Duration.ofNanos(1);

	private final MessageNamePatterns<MessageSender> senders;

	private final Map<MessageSender, SendingChannel> channels = new LinkedHashMap<>();

	private final Map<MessageSender, TransportException> lost;

	private final SenderAnswers answers;

	// In the order of sending
	private final Map<Long, Sent> inFlight = new LinkedHashMap<>();

	private final Queue<Outcome> outcomes = new ArrayDeque<>();

	// What may hold back messages
	private @Nullable MessageSender unflushed;

	// What has ended the work of the relay
	private @Nullable TransportException end;

	/**
	 * Create a channel.
	 * @param lost senders that are not asked
	 * @param answers what senders have said to all workers
	 */
	RoutingChannel(MessageNamePatterns<MessageSender> senders, Map<MessageSender, TransportException> lost,
			SenderAnswers answers) {
		this.senders = senders;
		this.lost = lost;
		this.answers = answers;
	}

	void opened(MessageSender sender, SendingChannel channel) {
		this.channels.put(sender, channel);
	}

	/**
	 * A sender cannot be reached, from now on.
	 */
	void lost(MessageSender sender, TransportException why) {
		this.lost.putIfAbsent(sender, why);
		this.channels.remove(sender);
		List<Long> unknown = this.inFlight.entrySet()
			.stream()
			.filter((message) -> message.getValue().sender() == sender)
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
		for (Long id : unknown) {
			this.inFlight.remove(id);
			this.outcomes.add(Outcome.unreachable(id, String.valueOf(why.getMessage())));
		}
	}

	/**
	 * Throw the exception with which a sender was lost, if it was.
	 */
	void throwIfLost(MessageSender sender) {
		TransportException why = this.lost.get(sender);
		if (why != null) {
			throw why;
		}
	}

	/**
	 * Let the relay work. What it throws, and what is thrown because no sender is left,
	 * ends the channels of all senders.
	 */
	void use(Consumer<SendingChannel> work) {
		try {
			requireAny();
			work.accept(this);
		}
		catch (TransportException ex) {
			this.end = ex;
			throw ex;
		}
	}

	/**
	 * Whether the relay has to hear of the exception. Senders put the exception into one
	 * of their own.
	 */
	@SuppressWarnings("ReferenceEquality")
	boolean isEnded(TransportException exception) {
		return this.end != null && Stream.iterate((Throwable) exception, Objects::nonNull, Throwable::getCause)
			.anyMatch((cause) -> cause == this.end);
	}

	private void requireAny() {
		if (this.channels.isEmpty()) {
			throw this.lost.values().iterator().next();
		}
	}

	@Override
	public void send(StoredMessage message) {
		MessageSender sender = this.senders.of(message.message().name());
		SendingChannel channel = this.channels.get(sender);
		if (channel == null) {
			this.outcomes.add(unreachable(message, sender));
			return;
		}
		if (this.unflushed != sender) {
			flush();
		}
		this.unflushed = sender;
		long now = System.nanoTime();
		try {
			channel.send(message);
			this.inFlight.put(message.id(), new Sent(sender, now));
		}
		catch (TransportException ex) {
			lost(sender, ex);
			requireAny();
			this.outcomes.add(unreachable(message, sender));
		}
	}

	// What a channel holds back leaves with a wait that ends without an outcome
	private void flush() {
		MessageSender holding = this.unflushed;
		this.unflushed = null;
		while (holding != null && ask(holding, SHORTEST)) {
			// Its outcomes are kept
		}
	}

	private Outcome unreachable(StoredMessage message, MessageSender sender) {
		TransportException why = this.lost.get(sender);
		return Outcome.unreachable(message.id(), String.valueOf((why != null) ? why.getMessage() : null));
	}

	@Override
	public @Nullable Outcome nextOutcome(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		Duration left = timeout;
		if (!timeout.isZero()) {
			flush();
		}
		do {
			Outcome outcome = oneRound(left);
			if (outcome != null) {
				return outcome;
			}
			left = Duration.ofNanos(deadline - System.nanoTime());
		}
		while (left.toNanos() > 0);
		return null;
	}

	private @Nullable Outcome oneRound(Duration left) {
		Map<MessageSender, Long> oldest = new LinkedHashMap<>();
		this.inFlight.values().forEach((sent) -> oldest.putIfAbsent(sent.sender(), sent.at()));
		oldest.forEach(this::loseIfSilent);
		List<MessageSender> waitedFor = List.copyOf(oldest.keySet());
		if (waitedFor.size() > 1) {
			left = shorter(left, TURN);
		}
		if (waitedFor.isEmpty() && this.outcomes.isEmpty()) {
			waitedFor = this.channels.keySet().stream().limit(1).toList();
		}
		for (MessageSender sender : waitedFor) {
			if (!this.outcomes.isEmpty()) {
				break;
			}
			Duration patience = this.answers.patience(oldest.getOrDefault(sender, System.nanoTime()));
			ask(sender, shorter(left, patience.isZero() ? TURN : patience));
		}
		Outcome outcome = this.outcomes.poll();
		if (outcome != null) {
			this.inFlight.remove(outcome.id());
		}
		return outcome;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) < 0) ? one : other;
	}

	private boolean ask(MessageSender sender, Duration time) {
		SendingChannel channel = this.channels.get(sender);
		if (channel == null) {
			return false;
		}
		try {
			Outcome outcome = channel.nextOutcome(time);
			if (outcome != null) {
				Sent sent = this.inFlight.get(outcome.id());
				if (sent != null && outcome.isOfBroker()) {
					this.answers.answered(sender, sent.at());
				}
				this.outcomes.add(outcome);
			}
			return outcome != null;
		}
		catch (TransportException ex) {
			lost(sender, ex);
			requireAny();
			return false;
		}
	}

	private void loseIfSilent(MessageSender sender, long oldest) {
		// This thread may have been kept from asking
		while (this.answers.isSilent(sender, oldest) && ask(sender, Duration.ZERO)) {
			// An outcome is a sign
		}
		if (this.channels.containsKey(sender) && this.answers.isSilent(sender, oldest)) {
			lost(sender, new TransportException("no confirm from the broker within " + this.answers.timeout(), null));
			requireAny();
		}
	}

	/**
	 * A message in flight.
	 *
	 * @param sender who has sent it
	 * @param at when, by {@link System#nanoTime}
	 */
	private record Sent(MessageSender sender, long at) {

	}

}
