package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A socket that gathers what is written to it. The client flushes after every message,
 * which costs both sides more than the message itself; here a flush is put off for as
 * long as whoever asks for it says so, or until enough has come together.
 * <p>
 * What has been held for too long never leaves, and the socket is closed: the process was
 * stopped in the middle, and by now others may have sent the same messages.
 */
final class GatheringSocket extends Socket {

	private static final int ENOUGH = 32 * 1024;

	private final BooleanSupplier puttingOff;

	private final Duration longest;

	private volatile @Nullable Gathering gathering;

	/**
	 * Create a socket that is not connected.
	 * @param puttingOff whether the current thread has more to write
	 * @param longest how long something may be held
	 */
	GatheringSocket(BooleanSupplier puttingOff, Duration longest) {
		this.puttingOff = puttingOff;
		this.longest = longest;
	}

	@Override
	public OutputStream getOutputStream() throws IOException {
		Gathering open = this.gathering;
		if (open == null) {
			open = new Gathering(super.getOutputStream());
			this.gathering = open;
		}
		return open;
	}

	/**
	 * Send what has been gathered.
	 */
	void release() throws IOException {
		Gathering open = this.gathering;
		if (open != null) {
			open.release();
		}
	}

	private final class Gathering extends OutputStream {

		private final OutputStream target;

		private final ReentrantLock lock = new ReentrantLock();

		private final byte[] buffer = new byte[ENOUGH];

		private int length;

		private long heldSince;

		Gathering(OutputStream target) {
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
				if (this.length == 0) {
					this.heldSince = System.nanoTime();
				}
				System.arraycopy(bytes, offset, this.buffer, this.length, count);
				this.length += count;
			}
			finally {
				this.lock.unlock();
			}
		}

		@Override
		public void flush() throws IOException {
			if (!GatheringSocket.this.puttingOff.getAsBoolean()) {
				release();
			}
		}

		void release() throws IOException {
			this.lock.lock();
			try {
				send();
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
			if (System.nanoTime() - this.heldSince > GatheringSocket.this.longest.toNanos()) {
				GatheringSocket.this.close();
				throw new IOException("given up, because this process was stopped for longer than "
						+ GatheringSocket.this.longest + " while it was sending");
			}
			this.target.write(this.buffer, 0, count);
		}

		@Override
		public void close() throws IOException {
			this.target.close();
		}

	}

}
