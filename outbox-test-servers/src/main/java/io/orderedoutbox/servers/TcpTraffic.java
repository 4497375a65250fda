/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What may pass through a proxy, and when.
 */
final class TcpTraffic {

	static final int GREATEST_PACKET = 64 * 1024;

	private static final int PACKET = 2048;

	private boolean requestsHeld;

	private boolean repliesHeld;

	private boolean blackHole;

	private long delay;

	private long bytesLeft = Long.MAX_VALUE;

	private Runnable whenUsedUp = () -> {
	};

	private @Nullable String intercepted;

	private byte @Nullable [] answer;

	synchronized void hold(boolean requests, boolean replies) {
		this.requestsHeld |= requests;
		this.repliesHeld |= replies;
		notifyAll();
	}

	synchronized void thaw() {
		this.requestsHeld = false;
		this.repliesHeld = false;
		notifyAll();
	}

	synchronized void blackHole(boolean wanted) {
		this.blackHole = wanted;
		notifyAll();
	}

	synchronized boolean isBlackHole() {
		return this.blackHole;
	}

	synchronized void delay(Duration wanted) {
		this.delay = wanted.toNanos();
		notifyAll();
	}

	synchronized void after(long bytes, Runnable action) {
		this.bytesLeft = bytes;
		this.whenUsedUp = action;
	}

	/**
	 * Keeps the next request with this text from the server.
	 * @param reply what the client hears instead, null if its connection is reset
	 */
	synchronized void intercept(String text, byte @Nullable [] reply) {
		this.intercepted = text;
		this.answer = reply;
	}

	/**
	 * What the client hears whose request was {@link Verdict#ANSWERED}.
	 */
	synchronized byte[] answer() {
		return Objects.requireNonNull(this.answer);
	}

	synchronized void changed() {
		notifyAll();
	}

	// Large where each packet waits, so that a slow network is not a narrow one as well
	synchronized int packet() {
		return (this.delay > 0) ? GREATEST_PACKET : PACKET;
	}

	/**
	 * Waits until a packet may pass, or never will.
	 */
	synchronized Verdict judge(TcpLink link, byte[] packet, int length, boolean request) throws InterruptedException {
		long arrived = System.nanoTime();
		while (!link.isReset()) {
			long left = arrived + this.delay - System.nanoTime();
			if (isHeld(link, request)) {
				wait();
			}
			else if (this.delay > 0 && left > 0) {
				wait(left / 1_000_000, (int) (left % 1_000_000));
			}
			else {
				return (request && isIntercepted(packet, length)) ? interception() : Verdict.PASS;
			}
		}
		return Verdict.DROP;
	}

	private boolean isHeld(TcpLink link, boolean request) {
		return this.blackHole || link.isStranded() || (request ? this.requestsHeld : this.repliesHeld);
	}

	private boolean isIntercepted(byte[] packet, int length) {
		if (this.intercepted == null
				|| !new String(packet, 0, length, StandardCharsets.ISO_8859_1).contains(this.intercepted)) {
			return false;
		}
		this.intercepted = null;
		return true;
	}

	private Verdict interception() {
		return (this.answer != null) ? Verdict.ANSWERED : Verdict.FORBIDDEN;
	}

	/**
	 * Waits until the end of one side of a connection may be told to the other.
	 */
	synchronized void awaitNews(TcpLink link) throws InterruptedException {
		while ((this.blackHole || link.isStranded()) && !link.isReset()) {
			wait();
		}
	}

	void count(int length) {
		Runnable action = null;
		synchronized (this) {
			if (this.bytesLeft != Long.MAX_VALUE) {
				this.bytesLeft -= length;
				if (this.bytesLeft <= 0) {
					this.bytesLeft = Long.MAX_VALUE;
					action = this.whenUsedUp;
				}
			}
		}
		if (action != null) {
			action.run();
		}
	}

	/**
	 * What becomes of a packet.
	 */
	enum Verdict {

		PASS, DROP, ANSWERED, FORBIDDEN

	}

}
