package io.orderedoutbox.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Database;
import io.orderedoutbox.servers.Servers;

/**
 * A network that can be broken: everything between an application and a server passes
 * through it.
 */
public final class TcpProxy implements AutoCloseable {

	private final InetSocketAddress server;

	private final Set<Link> links = ConcurrentHashMap.newKeySet();

	private final AtomicInteger resets = new AtomicInteger();

	private ServerSocket listener;

	private int port;

	private boolean requestsHeld;

	private boolean repliesHeld;

	private long bytesLeft = Long.MAX_VALUE;

	private Runnable whenUsedUp = () -> {
	};

	private String forbidden;

	private TcpProxy(InetSocketAddress server) {
		this.server = server;
		start();
	}

	/**
	 * A proxy before the broker that this JVM uses.
	 */
	public static TcpProxy toBroker() {
		Broker broker = Servers.broker();
		return new TcpProxy(new InetSocketAddress(broker.host(), broker.port()));
	}

	/**
	 * A proxy before a database.
	 */
	public static TcpProxy to(Database database) {
		URI url = URI.create(database.jdbcUrl().substring("jdbc:".length()));
		return new TcpProxy(new InetSocketAddress(url.getHost(), url.getPort()));
	}

	public String host() {
		return "127.0.0.1";
	}

	public int port() {
		return this.port;
	}

	/**
	 * Refuse new connections and reset those that are open.
	 */
	public void stop() {
		synchronized (this) {
			closeQuietly(this.listener);
		}
		reset();
	}

	/**
	 * Accept connections, on the same port as before.
	 */
	public synchronized void start() {
		try {
			this.listener = new ServerSocket();
			this.listener.setReuseAddress(true);
			this.listener.bind(new InetSocketAddress(InetAddress.getByName(host()), this.port));
			this.port = this.listener.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The proxy cannot listen", ex);
		}
		ServerSocket accepting = this.listener;
		thread(() -> accept(accepting));
	}

	/**
	 * Reset all open connections. New ones are accepted.
	 */
	public void reset() {
		this.links.forEach(Link::reset);
	}

	/**
	 * How many connections have been reset.
	 */
	public int resets() {
		return this.resets.get();
	}

	/**
	 * Reset the connection over which the last of that many bytes from now has come from
	 * the application.
	 */
	public synchronized void resetAfter(long bytes) {
		this.bytesLeft = bytes;
		this.whenUsedUp = this::reset;
	}

	/**
	 * Be silent in both directions after that many bytes from now have come from the
	 * application.
	 */
	public synchronized void freezeAfter(long bytes) {
		this.bytesLeft = bytes;
		this.whenUsedUp = this::freeze;
	}

	/**
	 * Keep the connection that is the next to send this text from doing so: it is reset
	 * before the server hears of it.
	 */
	public synchronized void resetBefore(String text) {
		this.forbidden = text;
	}

	/**
	 * Be silent in both directions, without closing anything.
	 */
	public synchronized void freeze() {
		this.requestsHeld = true;
		this.repliesHeld = true;
	}

	/**
	 * Hold back what the server answers.
	 */
	public synchronized void holdReplies() {
		this.repliesHeld = true;
	}

	/**
	 * Let pass what was held back.
	 */
	public synchronized void thaw() {
		this.requestsHeld = false;
		this.repliesHeld = false;
		notifyAll();
	}

	@Override
	public void close() {
		stop();
		thaw();
	}

	private void accept(ServerSocket accepting) {
		while (true) {
			Socket client = null;
			try {
				client = accepting.accept();
				Link link = new Link(client, new Socket(this.server.getAddress(), this.server.getPort()));
				this.links.add(link);
				thread(() -> link.pump(true));
				thread(() -> link.pump(false));
				if (accepting.isClosed()) {
					link.reset();
				}
			}
			catch (IOException ex) {
				closeQuietly(client);
				if (accepting.isClosed()) {
					return;
				}
			}
		}
	}

	// Whether the bytes may pass
	private synchronized boolean pass(byte[] bytes, int length, boolean request) throws InterruptedException {
		while (request ? this.requestsHeld : this.repliesHeld) {
			wait();
		}
		if (!request) {
			return true;
		}
		if (this.forbidden != null
				&& new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains(this.forbidden)) {
			this.forbidden = null;
			return false;
		}
		return true;
	}

	private void count(int length) {
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

	private static void thread(Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private static void closeQuietly(AutoCloseable closeable) {
		try {
			if (closeable != null) {
				closeable.close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("A socket could not be closed", ex);
		}
	}

	/**
	 * One connection of a client, and ours to the server for it.
	 */
	private final class Link {

		private final Socket client;

		private final Socket server;

		Link(Socket client, Socket server) throws IOException {
			this.client = client;
			this.server = server;
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
		}

		void pump(boolean request) {
			try (InputStream in = (request ? this.client : this.server).getInputStream();
					OutputStream out = (request ? this.server : this.client).getOutputStream()) {
				byte[] buffer = new byte[2048];
				int length = in.read(buffer);
				while (length >= 0 && pass(buffer, length, request)) {
					out.write(buffer, 0, length);
					if (request) {
						count(length);
					}
					length = in.read(buffer);
				}
				if (length >= 0) {
					reset();
				}
			}
			catch (IOException | InterruptedException ex) {
				// closed by one of the sides, or reset
			}
			finally {
				TcpProxy.this.links.remove(this);
				closeQuietly(this.client);
				closeQuietly(this.server);
			}
		}

		void reset() {
			if (TcpProxy.this.links.remove(this)) {
				TcpProxy.this.resets.incrementAndGet();
				abort(this.client);
				abort(this.server);
			}
		}

		private void abort(Socket socket) {
			try {
				socket.setSoLinger(true, 0);
			}
			catch (IOException ex) {
				// closed already
			}
			closeQuietly(socket);
		}

	}

}
