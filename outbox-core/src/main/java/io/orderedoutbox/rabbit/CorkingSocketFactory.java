/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import javax.net.SocketFactory;

import org.jspecify.annotations.Nullable;

/**
 * Makes {@link CorkingSocket}s. The client asks for sockets that are not connected; the
 * other methods are there because a factory has them.
 */
final class CorkingSocketFactory extends SocketFactory {

	// Far longer than sending takes, and no longer than the shortest lock timeout
	private static final Duration LONGEST = Duration.ofSeconds(1);

	private final BooleanSupplier corked;

	private final Runnable holding;

	/**
	 * Create a factory.
	 * @param corked whether the current thread has corked the sockets
	 * @param holding told whenever a socket begins to hold something back
	 */
	CorkingSocketFactory(BooleanSupplier corked, Runnable holding) {
		this.corked = corked;
		this.holding = holding;
	}

	@Override
	public Socket createSocket() {
		return new CorkingSocket(this.corked, LONGEST, this.holding);
	}

	@Override
	public Socket createSocket(String host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port), null);
	}

	@Override
	public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localHost, localPort));
	}

	@Override
	public Socket createSocket(InetAddress host, int port) throws IOException {
		return connected(new InetSocketAddress(host, port), null);
	}

	@Override
	public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) throws IOException {
		return connected(new InetSocketAddress(host, port), new InetSocketAddress(localAddress, localPort));
	}

	private Socket connected(InetSocketAddress remote, @Nullable InetSocketAddress local) throws IOException {
		Socket socket = createSocket();
		try {
			socket.bind(local);
			socket.connect(remote);
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

}
