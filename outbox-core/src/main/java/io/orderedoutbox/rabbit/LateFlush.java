/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.orderedoutbox.send.OutboxScope;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what {@link CorkingSocket}s have held back for a while, in a thread of its own.
 * The thread that has corked them may be busy for long before it sends more or waits: it
 * may ask a server for what the payload of its next message needs. What it has sent
 * before would then be too old to leave, and the connection would be lost.
 * <p>
 * The thread ends when nothing is held back for a moment.
 */
final class LateFlush {

	// It runs once in that time, so nothing is held back for twice as long: half of what
	// a socket takes for the sign of a process that was stopped
	private static final Duration AGE = Duration.ofMillis(250);

	private static final Logger logger = LoggerFactory.getLogger(LateFlush.class);

	private final Collection<Socket> sockets;

	private final ScheduledThreadPoolExecutor timer;

	private final AtomicBoolean due = new AtomicBoolean();

	/**
	 * Create it.
	 * @param sockets all sockets, of which others are left alone
	 */
	LateFlush(Collection<Socket> sockets) {
		this(sockets, (work) -> OutboxScope.thread(work, "outbox-relay-flush"));
	}

	/**
	 * Create it with threads of a kind.
	 * @param sockets all sockets, of which others are left alone
	 * @param threads makes a thread when it is needed
	 */
	LateFlush(Collection<Socket> sockets, ThreadFactory threads) {
		this.sockets = sockets;
		this.timer = new ScheduledThreadPoolExecutor(1, (work) -> {
			Thread thread = threads.newThread(work);
			thread.setDaemon(true);
			return thread;
		});
		this.timer.setKeepAliveTime(2 * AGE.toMillis(), TimeUnit.MILLISECONDS);
		this.timer.allowCoreThreadTimeOut(true);
	}

	/**
	 * A socket has begun to hold something back.
	 */
	void expect() {
		if (!this.due.get() && this.due.compareAndSet(false, true)) {
			try {
				ScheduledFuture<?> unused = this.timer.schedule(this::flush, AGE.toMillis(), TimeUnit.MILLISECONDS);
			}
			catch (RuntimeException | Error ex) {
				// No thread can be made. What is held leaves with the next wait of the
				// thread that has corked the socket, or is too old by then and is given
				// up and sent again. The next that is held is expected anew
				this.due.set(false);
				logger.debug("Nothing sends by itself what a connection holds back", ex);
			}
		}
	}

	private void flush() {
		this.due.set(false);
		for (Socket socket : this.sockets) {
			if (socket instanceof CorkingSocket corking && !corking.isClosed() && isHolding(corking)) {
				expect();
			}
		}
	}

	private static boolean isHolding(CorkingSocket socket) {
		try {
			return socket.sendOlderThan(AGE);
		}
		catch (IOException ex) {
			// The next that writes or reads hears of it
			logger.debug("A connection was lost, which its user will notice", ex);
			return false;
		}
	}

}
