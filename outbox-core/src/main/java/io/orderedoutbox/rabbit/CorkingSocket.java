/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A socket that can be corked: it then holds back what is written to it. The client
 * flushes after every message, which costs both sides more than the message itself; this
 * socket ignores the flushes of a thread that has corked it, until the thread uncorks it
 * or enough has come together.
 * <p>
 * What the socket has held back for too long never leaves, and the socket is closed: the
 * process was stopped in the middle, and by now others may have sent the same messages.
 */
final class CorkingSocket extends Socket {

	private static final int CAPACITY = 32 * 1024;

	private final BooleanSupplier corked;

	private final Duration longest;

	private final Runnable holding;

	private volatile @Nullable CorkedStream stream;

	/**
	 * Create a socket that is not connected.
	 * @param corked whether the current thread has corked it
	 * @param longest how long it may hold something back
	 * @param holding told whenever it begins to hold something back
	 */
	CorkingSocket(BooleanSupplier corked, Duration longest, Runnable holding) {
		this.corked = corked;
		this.longest = longest;
		this.holding = holding;
	}

	@Override
	public OutputStream getOutputStream() throws IOException {
		CorkedStream open = this.stream;
		if (open == null) {
			open = new CorkedStream(super.getOutputStream());
			this.stream = open;
		}
		return open;
	}

	/**
	 * Send what was held back.
	 */
	void uncork() throws IOException {
		CorkedStream open = this.stream;
		if (open != null) {
			open.uncork();
		}
	}

	/**
	 * Send what was held back for a while, but not for too long. It stays where a thread
	 * is sending anyway.
	 * @param age how long it must have been held back
	 * @return whether anything is still held back
	 */
	boolean sendOlderThan(Duration age) throws IOException {
		CorkedStream open = this.stream;
		return open != null && open.sendOlderThan(age);
	}

	private final class CorkedStream extends OutputStream {

		private final OutputStream target;

		private final ReentrantLock lock = new ReentrantLock();

		private final byte[] buffer = new byte[CAPACITY];

		private int length;

		private long corkedSince;

		CorkedStream(OutputStream target) {
			this.target = target;
		}

		@Override
		public void write(int b) throws IOException {
			write(new byte[] { (byte) b }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int count) throws IOException {
			this.lock.lock();
			try {
				if (count > this.buffer.length - this.length) {
					send();
				}
				if (count > this.buffer.length) {
					this.target.write(bytes, offset, count);
					return;
				}
				boolean isFirst = this.length == 0;
				if (isFirst) {
					this.corkedSince = System.nanoTime();
				}
				System.arraycopy(bytes, offset, this.buffer, this.length, count);
				this.length += count;
				if (isFirst) {
					CorkingSocket.this.holding.run();
				}
			}
			finally {
				this.lock.unlock();
			}
		}

		@Override
		public void flush() throws IOException {
			if (!CorkingSocket.this.corked.getAsBoolean()) {
				uncork();
			}
		}

		void uncork() throws IOException {
			this.lock.lock();
			try {
				send();
			}
			finally {
				this.lock.unlock();
			}
		}

		boolean sendOlderThan(Duration age) throws IOException {
			if (!this.lock.tryLock()) {
				return true;
			}
			try {
				long held = System.nanoTime() - this.corkedSince;
				// What is too old is given up by the thread that has sent it
				if (held >= age.toNanos() && held <= CorkingSocket.this.longest.toNanos()) {
					send();
				}
				return this.length > 0;
			}
			finally {
				this.lock.unlock();
			}
		}

		private void send() throws IOException {
			if (this.length == 0) {
				return;
			}
			int count = this.length;
			this.length = 0;
			if (System.nanoTime() - this.corkedSince > CorkingSocket.this.longest.toNanos()) {
				CorkingSocket.this.close();
				throw new IOException("given up, because this process was stopped for longer than "
						+ CorkingSocket.this.longest + " while it was sending");
			}
			this.target.write(this.buffer, 0, count);
		}

		@Override
		public void close() throws IOException {
			this.target.close();
		}

	}

}
