/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.OutboxConfigurationException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.OutboxScope;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.SmartLifecycle;

/**
 * {@link MessageSender} that pins one channel with {@link RabbitTemplate#invoke} and
 * works on the physical channel behind it.
 * <p>
 * The channel that the template hands out is a proxy that silently opens another channel
 * when the first is gone, with new sequence numbers and without our listeners: what was
 * in flight would then seem confirmed. After anything but a clean end the physical
 * channel is closed, so that nothing of this exchange can meet the next one.
 */
public final class RabbitMessageSender implements MessageSender, SmartLifecycle, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(RabbitMessageSender.class);

	private static final int MILLIS_TO_CLOSE = 5_000;

	private final RabbitTemplate template;

	private final WireFormat format;

	private final BrokerName broker;

	private final RabbitSockets sockets;

	private final BlockedState blocked = new BlockedState();

	private volatile boolean running;

	/**
	 * Create a sender.
	 * @param template a template of the outbox's own, whose connection factory has simple
	 * publisher confirms and no publisher returns, and has not connected yet
	 * @param format what messages look like on the wire
	 * @throws OutboxConfigurationException if the connection factory has other confirms,
	 * or returns
	 */
	public RabbitMessageSender(RabbitTemplate template, WireFormat format) {
		ConnectionFactory factory = template.getConnectionFactory();
		if (!factory.isSimplePublisherConfirms() || factory.isPublisherReturns()) {
			throw new OutboxConfigurationException(
					"The RabbitMQ connection factory of the outbox, outboxRabbitConnectionFactory, has no simple publisher confirms, or has publisher returns besides.",
					"Call setPublisherConfirmType(ConfirmType.SIMPLE) and setPublisherReturns(false) on it, or remove the bean: then the outbox makes one.");
		}
		this.template = template;
		this.format = format;
		this.broker = BrokerName.of(factory);
		factory.addConnectionListener(this.blocked);
		this.sockets = (factory instanceof AbstractConnectionFactory known)
				? RabbitSockets.of(known.getRabbitConnectionFactory()) : new RabbitSockets();
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		String reason = this.blocked.reason();
		if (reason != null) {
			throw named(ChannelEnd.blocked(reason));
		}
		Attempt attempt = new Attempt(work);
		try {
			this.template.invoke((operations) -> operations.execute(attempt::on));
		}
		catch (AmqpException ex) {
			// Ours went around the template's translation; this one comes from opening or
			// closing the channel
			if (attempt.failure == null && !attempt.done) {
				throw ConnectFailure.of(ex, this.broker);
			}
		}
		if (attempt.failure != null) {
			throw (attempt.failure instanceof TransportException lost) ? named(lost) : attempt.failure;
		}
	}

	// Neither a channel nor the relay knows to which broker it speaks
	private TransportException named(TransportException lost) {
		return new TransportException("%s; the broker is %s".formatted(lost.getMessage(), this.broker), lost);
	}

	@Override
	public void start() {
		this.running = true;
	}

	/**
	 * Close the connection; cut it if that takes too long. A worker that waits for a
	 * broker which reads nothing would hold up the end of the application.
	 */
	@Override
	public void stop() {
		this.running = false;
		disconnect();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * After the relay, and before the connection factory: that one closes its connection
	 * properly or not at all, and waits.
	 */
	@Override
	public int getPhase() {
		return PHASE;
	}

	@Override
	public void destroy() {
		disconnect();
	}

	private void disconnect() {
		if (this.blocked.reason() == null && this.template.getConnectionFactory() instanceof DisposableBean factory) {
			Thread closing = inBackground(() -> close(factory), "outbox-relay-connection-close");
			try {
				closing.join(MILLIS_TO_CLOSE);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		this.sockets.cut();
	}

	private static void close(DisposableBean factory) {
		try {
			factory.destroy();
		}
		catch (Exception ex) {
			logger.debug("The connection to RabbitMQ could not be closed properly", ex);
		}
	}

	// The broker does not answer, nor would it answer a request to close the channel, and
	// that wait has no limit
	private void leave(Channel channel, boolean blocked) {
		if (!blocked && this.blocked.reason() == null) {
			this.sockets.cut();
			return;
		}
		// Cutting a blocked connection would only bring another one, blocked after its
		// first message. The broker hears of the end of this channel when it reads again
		inBackground(() -> abort(channel), "outbox-relay-channel-close");
		for (int i = 0; i < MILLIS_TO_CLOSE && channel.isOpen(); i++) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	private static void abort(Channel channel) {
		try {
			channel.abort();
		}
		catch (IOException | ShutdownSignalException ex) {
			logger.debug("A channel was closed together with its connection", ex);
		}
	}

	private static Thread inBackground(Runnable work, String name) {
		Thread thread = OutboxScope.thread(work, name);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	/**
	 * One use of a channel, and how it ended.
	 */
	private final class Attempt {

		private final Consumer<SendingChannel> work;

		private boolean done;

		private @Nullable RuntimeException failure;

		Attempt(Consumer<SendingChannel> work) {
			this.work = work;
		}

		boolean on(Channel channel) {
			Channel target = (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
			try (RabbitSendingChannel sending = new RabbitSendingChannel(target, RabbitMessageSender.this.sockets,
					RabbitMessageSender.this.format)) {
				use(sending, target);
			}
			catch (TransportException ex) {
				this.failure = ex;
				if (target.isOpen()) {
					leave(target, false);
				}
			}
			catch (RuntimeException ex) {
				this.failure = ex;
			}
			finally {
				// A client that closes a channel twice forgets it at once. Its number
				// goes
				// to another one, while the broker still has the first
				if (!this.done && target.isOpen()) {
					RabbitUtils.setPhysicalCloseRequired(channel, true);
				}
			}
			return this.done;
		}

		private void use(RabbitSendingChannel sending, Channel target) {
			try {
				this.work.accept(sending);
				this.done = sending.isIdle();
			}
			catch (TransportException ex) {
				this.failure = ex;
				if (target.isOpen()) {
					leave(target, sending.isEndedByAlarm());
				}
			}
		}

	}

}
