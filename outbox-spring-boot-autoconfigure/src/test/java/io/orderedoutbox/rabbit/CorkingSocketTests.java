/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What leaves a socket, and when.
 */
@Tag("unit")
@Timeout(30)
class CorkingSocketTests {

	private ServerSocket server;

	private Socket received;

	private boolean corked;

	@BeforeEach
	void listen() throws IOException {
		this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
	}

	@AfterEach
	void close() throws IOException {
		this.received.close();
		this.server.close();
	}

	@Test
	void whatACorkedSocketHoldsBackLeavesWhenItIsUncorked() throws IOException {
		try (CorkingSocket socket = connected(Duration.ofMinutes(1))) {
			this.corked = true;
			write(socket, "one");
			write(socket, "two");
			assertThat(this.received.getInputStream().available()).isZero();
			socket.uncork();
			assertThat(read(6)).isEqualTo("onetwo");
		}
	}

	@Test
	void aThreadThatHasNotCorkedTheSocketSendsEverything() throws IOException {
		try (CorkingSocket socket = connected(Duration.ofMinutes(1))) {
			this.corked = true;
			write(socket, "one");
			this.corked = false;
			write(socket, "two");
			assertThat(read(6)).isEqualTo("onetwo");
		}
	}

	@Test
	void whatIsTooMuchToHoldLeavesInOrder() throws IOException {
		try (CorkingSocket socket = connected(Duration.ofMinutes(1))) {
			this.corked = true;
			write(socket, "start");
			write(socket, "x".repeat(100_000));
			write(socket, "end");
			assertThat(read(100_005)).startsWith("startx").endsWith("x");
			socket.uncork();
			assertThat(read(3)).isEqualTo("end");
		}
	}

	@Test
	void whatWasHeldForTooLongNeverLeaves() throws IOException {
		try (CorkingSocket socket = connected(Duration.ZERO)) {
			this.corked = true;
			write(socket, "stale");
			assertThatExceptionOfType(IOException.class).isThrownBy(socket::uncork).withMessageContaining("given up");
			assertThat(socket.isClosed()).isTrue();
			assertThat(this.received.getInputStream().read()).isEqualTo(-1);
		}
	}

	@Test
	void whereNoThreadCanBeMadeAWriteDoesNotFailAndLaterOnesLeaveByThemselves() throws IOException {
		Set<Socket> sockets = ConcurrentHashMap.newKeySet();
		AtomicBoolean exhausted = new AtomicBoolean(true);
		LateFlush lateFlush = new LateFlush(sockets, (work) -> {
			if (exhausted.get()) {
				// An OutOfMemoryError would end all tests if the write failed
				throw new InternalError("unable to create native thread");
			}
			return new Thread(work);
		});
		try (CorkingSocket socket = connected(Duration.ofMinutes(1), lateFlush::expect)) {
			sockets.add(socket);
			this.corked = true;
			write(socket, "one");
			socket.uncork();
			assertThat(read(3)).isEqualTo("one");
			exhausted.set(false);
			write(socket, "two");
			assertThat(read(3)).isEqualTo("two");
		}
	}

	@Test
	void whatIsHeldForAWhileLeavesByItselfWhileItsThreadIsBusy() throws IOException {
		Set<Socket> sockets = ConcurrentHashMap.newKeySet();
		LateFlush lateFlush = new LateFlush(sockets);
		try (CorkingSocket socket = connected(Duration.ofMinutes(1), lateFlush::expect)) {
			sockets.add(socket);
			this.corked = true;
			write(socket, "one");
			assertThat(read(3)).isEqualTo("one");
			write(socket, "two");
			write(socket, "three");
			assertThat(read(8)).isEqualTo("twothree");
		}
	}

	@Test
	void whatWasHeldForTooLongDoesNotLeaveByItselfEither() throws IOException {
		try (CorkingSocket socket = connected(Duration.ZERO)) {
			this.corked = true;
			write(socket, "stale");
			assertThat(socket.sendOlderThan(Duration.ZERO)).as("something is held back").isTrue();
			assertThat(socket.isClosed()).isFalse();
			assertThatExceptionOfType(IOException.class).isThrownBy(socket::uncork).withMessageContaining("given up");
			assertThat(this.received.getInputStream().read()).isEqualTo(-1);
		}
	}

	private CorkingSocket connected(Duration longest) throws IOException {
		return connected(longest, () -> {
		});
	}

	private CorkingSocket connected(Duration longest, Runnable holding) throws IOException {
		CorkingSocket socket = new CorkingSocket(() -> this.corked, longest, holding);
		socket.connect(this.server.getLocalSocketAddress());
		this.received = this.server.accept();
		return socket;
	}

	private static void write(Socket socket, String text) throws IOException {
		OutputStream stream = socket.getOutputStream();
		stream.write(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
		stream.flush();
	}

	private String read(int length) throws IOException {
		return new String(this.received.getInputStream().readNBytes(length),
				java.nio.charset.StandardCharsets.US_ASCII);
	}

}
