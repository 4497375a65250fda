/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("unit")
class TcpProxyTests {

	private static final int PATIENCE = 10_000;

	// Long enough for a packet that should not arrive to arrive
	private static final int SILENCE = 300;

	private final LinkedBlockingQueue<Socket> accepted = new LinkedBlockingQueue<>();

	private ServerSocket server;

	private Thread acceptor;

	private TcpProxy proxy;

	@BeforeEach
	void start() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.acceptor = new Thread(this::accept, "server");
		this.acceptor.setDaemon(true);
		this.acceptor.start();
		this.proxy = TcpProxy.to("127.0.0.1", this.server.getLocalPort());
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.close();
		this.server.close();
	}

	@Test
	void bothDirectionsPass() throws Exception {
		try (Socket client = connect(); Socket other = other()) {
			assertPasses(client, other);
			assertPasses(other, client);
		}
	}

	@Test
	void anEndIsPassedOn() throws Exception {
		try (Socket client = connect()) {
			other().close();
			assertThat(client.getInputStream().read()).isEqualTo(-1);
		}
	}

	@Test
	void throughABlackHoleNothingPasses() throws Exception {
		try (Socket client = connect(); Socket other = other()) {
			this.proxy.blackHole();
			client.getOutputStream().write(1);
			other.getOutputStream().write(1);
			assertSilent(client);
			assertSilent(other);
		}
	}

	@Test
	void throughABlackHoleNobodyLearnsThatTheOtherSideIsGone() throws Exception {
		try (Socket client = connect()) {
			Socket other = other();
			this.proxy.blackHole();
			other.close();
			assertSilent(client);
		}
		try (Socket client = connect()) {
			assertSilent(client);
			assertThat(this.accepted).isEmpty();
		}
	}

	@Test
	void whatWasLostInABlackHoleNeverArrives() throws Exception {
		try (Socket client = connect(); Socket other = other()) {
			this.proxy.blackHole();
			client.getOutputStream().write(1);
			other.getOutputStream().write(1);
			assertSilent(other);
			this.proxy.heal();
			assertReset(client);
			assertReset(other);
		}
	}

	@Test
	void afterABlackHoleNewConnectionsWork() throws Exception {
		this.proxy.blackHole();
		try (Socket lost = connect()) {
			assertSilent(lost);
			this.proxy.heal();
			assertReset(lost);
		}
		try (Socket client = connect(); Socket other = other()) {
			assertPasses(client, other);
		}
	}

	@Test
	void aStrandedConnectionIsGoneForTheServerOnly() throws Exception {
		try (Socket stranded = connect(); Socket other = other()) {
			this.proxy.strand();
			assertReset(other);
			stranded.getOutputStream().write(1);
			assertSilent(stranded);
			try (Socket client = connect(); Socket next = other()) {
				assertPasses(client, next);
				this.proxy.heal();
				assertPasses(client, next);
			}
			assertReset(stranded);
		}
	}

	@Test
	void aSlowNetworkDelaysEachPacket() throws Exception {
		try (Socket client = connect(); Socket other = other()) {
			long sent = System.nanoTime();
			this.proxy.delay(Duration.ofMillis(SILENCE));
			assertPasses(client, other);
			assertThat(Duration.ofNanos(System.nanoTime() - sent)).isGreaterThanOrEqualTo(Duration.ofMillis(SILENCE));
		}
	}

	@Test
	void theEndOfASlowNetworkFreesWhatIsUnderWay() throws Exception {
		this.proxy.delay(Duration.ofHours(1));
		try (Socket client = connect(); Socket other = other()) {
			client.getOutputStream().write(7);
			assertSilent(other);
			this.proxy.delay(Duration.ZERO);
			assertThat(other.getInputStream().read()).isEqualTo(7);
		}
	}

	@Test
	void aServerThatIsAwayRefusesThroughTheProxyToo() throws Exception {
		this.server.close();
		// Until it has heard of that, it still accepts
		this.acceptor.join();
		try (Socket client = connect()) {
			assertThat(client.getInputStream().read()).isEqualTo(-1);
		}
		assertThat(this.proxy.accepted()).isOne();
	}

	@Test
	void stoppedAndStartedItHasTheSamePort() throws Exception {
		int port = this.proxy.port();
		this.proxy.stop();
		this.proxy.start();
		assertThat(this.proxy.port()).isEqualTo(port);
		try (Socket client = connect(); Socket other = other()) {
			assertPasses(client, other);
		}
	}

	private void accept() {
		try {
			while (true) {
				this.accepted.add(this.server.accept());
			}
		}
		catch (IOException ex) {
			// the test has closed the server
		}
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(this.proxy.host(), this.proxy.port());
		socket.setSoTimeout(PATIENCE);
		return socket;
	}

	private Socket other() throws Exception {
		Socket socket = this.accepted.poll(PATIENCE / 1000, SECONDS);
		assertThat(socket).as("a connection at the server").isNotNull();
		socket.setSoTimeout(PATIENCE);
		return socket;
	}

	private static void assertPasses(Socket from, Socket to) throws IOException {
		from.getOutputStream().write(42);
		assertThat(to.getInputStream().read()).isEqualTo(42);
	}

	private static void assertSilent(Socket socket) throws IOException {
		socket.setSoTimeout(SILENCE);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> socket.getInputStream().read());
		socket.setSoTimeout(PATIENCE);
	}

	private static void assertReset(Socket socket) {
		assertThatExceptionOfType(SocketException.class).isThrownBy(() -> socket.getInputStream().read());
	}

}
