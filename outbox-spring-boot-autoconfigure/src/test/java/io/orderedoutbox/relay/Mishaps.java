/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.Outcome;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.store.StoredMessage;
import io.orderedoutbox.testing.SenderTampering;

/**
 * Senders of applications that choke on messages named "poison", each in a way of its
 * own.
 */
final class Mishaps {

	private Mishaps() {
	}

	private static boolean isPoison(StoredMessage message) {
		return message.message().name().equals("poison");
	}

	static class InSend extends SenderTampering {

		@Override
		protected void beforeSend(StoredMessage message) {
			if (isPoison(message)) {
				throw new IllegalArgumentException("choked");
			}
		}

	}

	static class ErrorInSend extends SenderTampering {

		@Override
		protected void beforeSend(StoredMessage message) {
			if (isPoison(message)) {
				throw new StackOverflowError();
			}
		}

	}

	static class Verbose extends SenderTampering {

		@Override
		protected void beforeSend(StoredMessage message) {
			if (isPoison(message)) {
				throw new IllegalStateException("\uD83D\uDE80".repeat(2000) + "\uD83D\u0000");
			}
		}

	}

	static class Unspeakable extends SenderTampering {

		@Override
		protected void beforeSend(StoredMessage message) {
			if (isPoison(message)) {
				throw new UnspeakableException();
			}
		}

	}

	/**
	 * Fails while it waits for outcomes with the poison in flight.
	 */
	static class InWait extends SenderTampering {

		@Override
		protected void tampered(MessageSender sender, Consumer<SendingChannel> work) {
			sender.withChannel((channel) -> work.accept(new ChokingChannel(channel, this::choke)));
		}

		void choke() {
			throw new IllegalStateException("choked");
		}

	}

	static class ErrorInWait extends InWait {

		@Override
		void choke() {
			throw new NoClassDefFoundError("choked");
		}

	}

	/**
	 * Refuses everything until it is repaired.
	 */
	static class Broken extends SenderTampering {

		private final AtomicInteger uses = new AtomicInteger();

		private volatile boolean broken = true;

		@Override
		protected void tampered(MessageSender sender, Consumer<SendingChannel> work) {
			this.uses.incrementAndGet();
			if (this.broken) {
				throw new ChannelRefusedException("out of order");
			}
			sender.withChannel(work);
		}

		int uses() {
			return this.uses.get();
		}

		void repair() {
			this.broken = false;
		}

	}

	private static final class ChokingChannel implements SendingChannel {

		private final SendingChannel channel;

		private final Runnable choke;

		private boolean swallowed;

		ChokingChannel(SendingChannel channel, Runnable choke) {
			this.channel = channel;
			this.choke = choke;
		}

		@Override
		public void send(StoredMessage message) {
			if (isPoison(message)) {
				this.swallowed = true;
			}
			else {
				this.channel.send(message);
			}
		}

		@Override
		public Outcome nextOutcome(Duration timeout) {
			if (this.swallowed) {
				this.choke.run();
			}
			return this.channel.nextOutcome(timeout);
		}

	}

	/**
	 * An exception that cannot be asked.
	 */
	private static final class UnspeakableException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException("no message");
		}

	}

}
