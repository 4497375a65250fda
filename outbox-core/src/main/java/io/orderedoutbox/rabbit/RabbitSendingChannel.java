/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.Destination;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.FailureReason;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * {@link SendingChannel} on a physical channel in confirm mode.
 * <ol>
 * <li>What is sent leaves when there is nothing more to be sent at the moment: see
 * {@link CorkingSocket}.</li>
 * <li>Messages are published as mandatory; the sequence number names them until they are
 * confirmed.</li>
 * <li>Confirms, returns and the end of the channel arrive on the connection's thread, in
 * the order of the broker, and are queued for the worker's.</li>
 * <li>RabbitMQ returns an unroutable message and then confirms it: a confirm for a
 * message that was returned is a failure. A return names its message by message id and
 * destination only; two messages that share both are unroutable together.</li>
 * </ol>
 */
final class RabbitSendingChannel implements SendingChannel, AutoCloseable {

	private final Channel channel;

	private final RabbitSockets sockets;

	private final WireFormat format;

	private final BlockingQueue<Signal> signals = new LinkedBlockingQueue<>();

	private final NavigableMap<Long, StoredMessage> inFlight = new TreeMap<>();

	private final Map<Addressed, String> returned = new HashMap<>();

	private final Queue<Outcome> outcomes = new ArrayDeque<>();

	private final ConfirmListener confirms;

	private final ReturnListener returns;

	private final ShutdownListener shutdown;

	private final BlockedListener blocked;

	private volatile @Nullable String blockedBecause;

	private boolean endedByAlarm;

	RabbitSendingChannel(Channel channel, RabbitSockets sockets, WireFormat format) {
		this.channel = channel;
		this.format = format;
		this.sockets = sockets;
		if (!channel.isOpen() || channel.getNextPublishSeqNo() == 0) {
			throw new TransportException("The channel is closed or could not be put into confirm mode", null);
		}
		this.confirms = channel.addConfirmListener(
				(tag, multiple) -> this.signals.add(new Confirmed(tag, multiple, true)),
				(tag, multiple) -> this.signals.add(new Confirmed(tag, multiple, false)));
		this.returns = (code, text, exchange, routingKey, properties,
				body) -> this.signals.add(new Returned(new Addressed(properties.getMessageId(), exchange, routingKey),
						"returned by the broker: %d %s (exchange '%s', routing key '%s')".formatted(code, text,
								exchange, routingKey)));
		channel.addReturnListener(this.returns);
		this.shutdown = (cause) -> this.signals.add(new Closed(cause));
		channel.addShutdownListener(this.shutdown); // calls back at once if the channel
													// is closed already
		this.blocked = channel.getConnection().addBlockedListener((reason) -> {
			this.blockedBecause = reason;
			this.signals.add(new Blocked());
		}, () -> this.blockedBecause = null);
	}

	@Override
	public void send(StoredMessage message) {
		// A write would wait for as long as the broker reads nothing
		endIfBlocked();
		Destination destination = message.message().destination();
		AMQP.BasicProperties properties = this.format.properties(message);
		long tag = this.channel.getNextPublishSeqNo();
		this.inFlight.put(tag, message);
		this.sockets.cork();
		try {
			this.channel.basicPublish(destination.exchange(), destination.routingKey(), true, properties,
					message.message().payload());
		}
		catch (AlreadyClosedException ex) {
			throw ChannelEnd.closed(ex);
		}
		catch (IOException ex) {
			throw new TransportException("RabbitMQ was lost: " + ex.getMessage(), ex);
		}
		catch (RuntimeException | Error ex) {
			// By the client, before a frame was written: headers larger than a frame. The
			// client has counted it, so that the sequence numbers are wrong from now on
			throw new ChannelRefusedException("refused by the client: " + ex);
		}
	}

	@Override
	public @Nullable Outcome nextOutcome(Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		while (this.outcomes.isEmpty()) {
			Signal signal = timeout.isZero() ? this.signals.poll() : poll(deadline);
			if (signal == null) {
				return null;
			}
			if (signal instanceof Closed closed) {
				throw ChannelEnd.closed(closed.cause());
			}
			if (signal instanceof Blocked) {
				endIfBlocked();
			}
			if (signal instanceof Returned aReturn) {
				this.returned.put(aReturn.message(), aReturn.reason());
			}
			else if (signal instanceof Confirmed confirmed) {
				settle(confirmed);
			}
		}
		return this.outcomes.remove();
	}

	// Even a wait that is over at once lets everything leave that was sent
	private @Nullable Signal poll(long deadline) {
		Signal signal = this.signals.poll();
		if (signal != null) {
			return signal;
		}
		try {
			this.sockets.uncork();
			return this.signals.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
		catch (IOException ex) {
			throw new TransportException("RabbitMQ was lost: " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new TransportException("Interrupted while waiting for confirms", ex);
		}
	}

	private void settle(Confirmed confirm) {
		Map<Long, StoredMessage> settled = confirm.multiple() ? this.inFlight.headMap(confirm.tag(), true)
				: this.inFlight.subMap(confirm.tag(), true, confirm.tag(), true);
		List<StoredMessage> messages = new ArrayList<>(settled.values());
		settled.clear();
		for (StoredMessage message : messages) {
			this.outcomes.add(outcome(message, confirm.ack()));
		}
	}

	private Outcome outcome(StoredMessage message, boolean ack) {
		String returned = this.returned.isEmpty() ? null : this.returned.get(Addressed.of(message.message()));
		if (returned != null) {
			return Outcome.failed(message.id(), returned, FailureReason.RETURNED);
		}
		return ack ? Outcome.published(message.id())
				: Outcome.failed(message.id(), "nacked by the broker", FailureReason.NACKED);
	}

	// An alarm may be over by the time that it is heard
	private void endIfBlocked() {
		String reason = this.blockedBecause;
		if (reason != null) {
			this.endedByAlarm = true;
			throw ChannelEnd.blocked(reason);
		}
	}

	/**
	 * Whether the outcome of everything sent is known.
	 */
	boolean isIdle() {
		return this.inFlight.isEmpty() && this.channel.isOpen();
	}

	/**
	 * Whether it was given up because the connection was blocked.
	 */
	boolean isEndedByAlarm() {
		return this.endedByAlarm;
	}

	@Override
	public void close() {
		this.sockets.abandon();
		this.channel.removeConfirmListener(this.confirms);
		this.channel.removeReturnListener(this.returns);
		this.channel.removeShutdownListener(this.shutdown);
		this.channel.getConnection().removeBlockedListener(this.blocked);
	}

	/**
	 * Something that the broker said.
	 */
	private sealed interface Signal {

	}

	private record Confirmed(long tag, boolean multiple, boolean ack) implements Signal {

	}

	private record Returned(Addressed message, String reason) implements Signal {

	}

	private record Blocked() implements Signal {

	}

	private record Closed(ShutdownSignalException cause) implements Signal {

	}

	/**
	 * What a return tells of its message.
	 */
	private record Addressed(String messageId, String exchange, String routingKey) {

		static Addressed of(Message message) {
			return new Addressed(message.messageId().toString(), message.destination().exchange(),
					message.destination().routingKey());
		}

	}

}
