package io.orderedoutbox.routing;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.orderedoutbox.relay.MessageSender;
import io.orderedoutbox.relay.Outcome;
import io.orderedoutbox.relay.SendingChannel;
import io.orderedoutbox.relay.TransportException;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link SendingChannel} over the channels of several senders.
 */
final class RoutingChannel implements SendingChannel {

	// How long one channel is waited for while another has messages in flight as well
	private static final Duration TURN = Duration.ofMillis(2);

	private final MessageNamePatterns<MessageSender> senders;

	private final Map<MessageSender, SendingChannel> channels = new LinkedHashMap<>();

	private final Map<MessageSender, TransportException> lost;

	private final Consumer<MessageSender> answered;

	private final Map<Long, MessageSender> inFlight = new HashMap<>();

	private final Queue<Outcome> outcomes = new ArrayDeque<>();

	// What has ended the work of the relay
	private @Nullable TransportException end;

	/**
	 * Create a channel.
	 * @param lost senders that are not asked
	 * @param answered told of each sender that has an outcome
	 */
	RoutingChannel(MessageNamePatterns<MessageSender> senders, Map<MessageSender, TransportException> lost,
			Consumer<MessageSender> answered) {
		this.senders = senders;
		this.lost = lost;
		this.answered = answered;
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
			.filter((message) -> message.getValue() == sender)
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
		try {
			channel.send(message);
			this.inFlight.put(message.id(), sender);
		}
		catch (TransportException ex) {
			lost(sender, ex);
			requireAny();
			this.outcomes.add(unreachable(message, sender));
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
		List<MessageSender> waitedFor = this.inFlight.values().stream().distinct().toList();
		if (waitedFor.size() > 1) {
			left = (left.compareTo(TURN) < 0) ? left : TURN;
		}
		if (waitedFor.isEmpty() && this.outcomes.isEmpty()) {
			waitedFor = this.channels.keySet().stream().limit(1).toList();
		}
		for (MessageSender sender : waitedFor) {
			if (!this.outcomes.isEmpty()) {
				break;
			}
			ask(sender, left);
		}
		Outcome outcome = this.outcomes.poll();
		if (outcome != null) {
			this.inFlight.remove(outcome.id());
		}
		return outcome;
	}

	private void ask(MessageSender sender, Duration time) {
		SendingChannel channel = this.channels.get(sender);
		if (channel == null) {
			return;
		}
		try {
			Outcome outcome = channel.nextOutcome(time);
			if (outcome != null) {
				this.answered.accept(sender);
				this.outcomes.add(outcome);
			}
		}
		catch (TransportException ex) {
			lost(sender, ex);
			requireAny();
		}
	}

}
