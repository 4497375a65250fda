package io.orderedoutbox.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a server whose connections can be cut without a word, as they are when a
 * process dies: both ends get a reset.
 */
public final class CuttableProxy implements AutoCloseable {

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final String host;

	private final int port;

	private final ServerSocket entrance;

	private CuttableProxy(String host, int port) {
		this.host = host;
		this.port = port;
		try {
			this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("accept", this::accept);
	}

	public static CuttableProxy to(String host, int port) {
		return new CuttableProxy(host, port);
	}

	public String host() {
		return this.entrance.getInetAddress().getHostAddress();
	}

	public int port() {
		return this.entrance.getLocalPort();
	}

	/**
	 * Cut every connection there is. New ones can be made at once.
	 */
	public void cut() {
		this.links.forEach(Link::cut);
	}

	@Override
	public void close() {
		try {
			this.entrance.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		cut();
	}

	private void accept() {
		while (!this.entrance.isClosed()) {
			try {
				Socket client = this.entrance.accept();
				this.links.add(new Link(client, new Socket(this.host, this.port)));
			}
			catch (IOException ex) {
				// Closed, or the server is not there: the client sees its connection
				// refused or gone
			}
		}
	}

	private void start(String name, Runnable work) {
		Thread thread = new Thread(work, "proxy-" + this.port + "-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * One connection, in both directions.
	 */
	private final class Link {

		private final Socket client;

		private final Socket server;

		Link(Socket client, Socket server) throws IOException {
			this.client = client;
			this.server = server;
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			start("up", () -> pump(client, server));
			start("down", () -> pump(server, client));
		}

		private void pump(Socket from, Socket to) {
			try {
				from.getInputStream().transferTo(to.getOutputStream());
				to.shutdownOutput();
			}
			catch (IOException ex) {
				cut();
			}
			CuttableProxy.this.links.removeIf(Link::isClosed);
		}

		private boolean isClosed() {
			return this.client.isClosed() && this.server.isClosed();
		}

		void cut() {
			reset(this.client);
			reset(this.server);
			CuttableProxy.this.links.remove(this);
		}

		private static void reset(Socket socket) {
			try {
				socket.setSoLinger(true, 0);
				socket.close();
			}
			catch (IOException ex) {
				// Closed already
			}
		}

	}

}
