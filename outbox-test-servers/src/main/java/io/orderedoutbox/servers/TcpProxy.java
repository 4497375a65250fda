package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * A network that can be broken: everything between an application and a server passes
 * through it.
 */
public final class TcpProxy implements AutoCloseable {

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final InetSocketAddress server;

	private final Set<TcpLink> links = ConcurrentHashMap.newKeySet();

	private final AtomicInteger resets = new AtomicInteger();

	private final AtomicInteger accepted = new AtomicInteger();

	private final TcpTraffic traffic = new TcpTraffic();

	private ServerSocket listener;

	private TcpProxy(InetSocketAddress server) {
		this.server = server;
		this.listener = listen(0);
	}

	/**
	 * Starts a proxy before the broker that this JVM uses.
	 * @return the proxy
	 */
	public static TcpProxy toBroker() {
		Broker broker = Servers.broker();
		return to(broker.host(), broker.port());
	}

	/**
	 * Starts a proxy before a database.
	 * @param database the database
	 * @return the proxy
	 */
	public static TcpProxy to(Database database) {
		URI url = URI.create(database.jdbcUrl().substring("jdbc:".length()));
		return to(url.getHost(), url.getPort());
	}

	/**
	 * Starts a proxy before any server.
	 * @param host the host of the server, which need not be up
	 * @param port the port of the server
	 * @return the proxy
	 */
	public static TcpProxy to(String host, int port) {
		return new TcpProxy(new InetSocketAddress(host, port));
	}

	/**
	 * Returns the host that clients connect to.
	 * @return the loopback address
	 */
	public String host() {
		return "127.0.0.1";
	}

	/**
	 * Returns the port that clients connect to.
	 * @return the port, the same for the proxy's whole life
	 */
	public int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Refuses new connections and resets those that are open.
	 */
	public void stop() {
		synchronized (this) {
			close(this.listener);
		}
		reset();
	}

	/**
	 * Accepts connections, on the same port as before.
	 */
	public synchronized void start() {
		this.listener = listen(this.listener.getLocalPort());
	}

	private ServerSocket listen(int port) {
		try {
			ServerSocket listening = bind(port);
			thread(() -> accept(listening));
			return listening;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The proxy cannot listen", ex);
		}
	}

	// A port that the system chooses may be given to somebody's outgoing connection while
	// the proxy is stopped: these are from below that range. And the system may take a
	// moment to free the port of a listener that was just accepting
	private ServerSocket bind(int port) throws IOException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			ServerSocket listening = new ServerSocket();
			listening.setReuseAddress(true);
			int wanted = (port != 0) ? port : ThreadLocalRandom.current().nextInt(15_000, 30_000);
			try {
				listening.bind(new InetSocketAddress(InetAddress.getByName(host()), wanted));
				return listening;
			}
			catch (BindException ex) {
				listening.close();
				if (System.nanoTime() > deadline) {
					throw ex;
				}
				Thread.onSpinWait();
			}
		}
	}

	/**
	 * Resets all open connections. New ones are accepted.
	 */
	public void reset() {
		this.links.forEach(this::reset);
	}

	private void reset(TcpLink link) {
		if (this.links.remove(link)) {
			this.resets.incrementAndGet();
			link.reset();
			this.traffic.changed();
		}
	}

	/**
	 * Returns how many connections have been reset.
	 * @return the number of connections
	 */
	public int resets() {
		return this.resets.get();
	}

	/**
	 * Returns how many connections clients have opened, whether or not a server answered.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.accepted.get();
	}

	/**
	 * Resets the connection over which the last of that many bytes from now has come from
	 * the application.
	 * @param bytes the number of bytes
	 */
	public void resetAfter(long bytes) {
		this.traffic.after(bytes, this::reset);
	}

	/**
	 * Is silent in both directions after that many bytes from now have come from the
	 * application.
	 * @param bytes the number of bytes
	 */
	public void freezeAfter(long bytes) {
		this.traffic.after(bytes, this::freeze);
	}

	/**
	 * Keeps the connection that is the next to send this text from doing so: it is reset
	 * before the server hears of it.
	 * @param text the text, in one packet
	 */
	public void resetBefore(String text) {
		this.traffic.intercept(text, null);
	}

	/**
	 * Answers the next request with this text in the name of the server, which does not
	 * hear of it.
	 * @param text the text, in one packet
	 * @param answer what to say, in the protocol of the server
	 */
	public void answer(String text, byte[] answer) {
		this.traffic.intercept(text, answer);
	}

	/**
	 * Is silent in both directions, until {@link #thaw()}. A side that closes its
	 * connection is still heard by the other.
	 */
	public void freeze() {
		this.traffic.hold(true, true);
	}

	/**
	 * Holds back what the server answers, until {@link #thaw()}.
	 */
	public void holdReplies() {
		this.traffic.hold(false, true);
	}

	/**
	 * Holds back what the application says, until {@link #thaw()}.
	 */
	public void holdRequests() {
		this.traffic.hold(true, false);
	}

	/**
	 * Says something in the name of the server, on all connections. Wait until the server
	 * is silent: it may be in the middle of a sentence.
	 * @param bytes what to say, in the protocol of the server
	 */
	public void reply(byte[] bytes) {
		for (TcpLink link : this.links) {
			try {
				link.reply(bytes);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The client has closed its connection", ex);
			}
		}
	}

	/**
	 * Lets pass what was held back.
	 */
	public void thaw() {
		this.traffic.thaw();
	}

	/**
	 * Cuts the cable: nothing passes in either direction, and nobody is told, not even
	 * when the other side closes its connection. New connections are accepted, and
	 * nothing passes on them either.
	 */
	public void blackHole() {
		this.traffic.blackHole(true);
	}

	/**
	 * Leaves connections half open: the server loses all that are open now, and the
	 * clients are not told. New connections work.
	 */
	public void strand() {
		this.links.forEach(TcpLink::strand);
	}

	/**
	 * Ends {@link #blackHole()} and {@link #strand()}. Connections that lived through
	 * them are reset, and what was under way on them never arrives.
	 */
	public void heal() {
		boolean all = this.traffic.isBlackHole();
		this.links.stream().filter((link) -> all || link.isStranded()).forEach(this::reset);
		this.traffic.blackHole(false);
	}

	/**
	 * Makes the network slow.
	 * @param delay how long each packet is under way; zero makes the network fast again,
	 * also for what is under way
	 */
	public void delay(Duration delay) {
		this.traffic.delay(delay);
	}

	/**
	 * Resets all connections, and stops for good.
	 */
	@Override
	public void close() {
		stop();
		thaw();
		heal();
	}

	private void accept(ServerSocket accepting) {
		while (true) {
			Socket client = null;
			try {
				client = accepting.accept();
				this.accepted.incrementAndGet();
				open(client);
				if (accepting.isClosed()) {
					reset();
				}
			}
			catch (IOException ex) {
				close(client);
				if (accepting.isClosed()) {
					return;
				}
			}
		}
	}

	// Known before the server can have accepted it: whoever sees the server's end may
	// want something done to the link
	private void open(Socket client) throws IOException {
		Socket toServer = new Socket();
		TcpLink link = new TcpLink(client, toServer, this.traffic);
		this.links.add(link);
		try {
			if (!this.traffic.isBlackHole()) {
				toServer.connect(new InetSocketAddress(this.server.getAddress(), this.server.getPort()));
			}
		}
		catch (IOException ex) {
			this.links.remove(link);
			toServer.close();
			throw ex;
		}
		thread(() -> pump(link, true));
		thread(() -> pump(link, false));
	}

	private void pump(TcpLink link, boolean requests) {
		boolean forbidden = link.pump(requests);
		if (forbidden) {
			reset(link);
		}
		this.links.remove(link);
		link.close();
	}

	private static void thread(Runnable task) {
		Thread thread = new Thread(task, "tcp-proxy");
		thread.setDaemon(true);
		thread.start();
	}

	static void close(@Nullable AutoCloseable closeable) {
		try {
			if (closeable != null) {
				closeable.close();
			}
		}
		catch (Exception ex) {
			throw new IllegalStateException("A socket could not be closed", ex);
		}
	}

}
