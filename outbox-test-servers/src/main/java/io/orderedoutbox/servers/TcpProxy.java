/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/**
 * A network that can be broken: everything between an application and a server passes
 * through it.
 */
public final class TcpProxy implements AutoCloseable {

	private final TcpTraffic traffic = new TcpTraffic();

	private final TcpLinks links;

	private final TcpListener listener;

	private TcpProxy(InetSocketAddress server) {
		this.links = new TcpLinks(server, this.traffic);
		this.listener = new TcpListener(this.links);
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
		return TcpListener.HOST;
	}

	/**
	 * Returns the port that clients connect to.
	 * @return the port, the same for the proxy's whole life
	 */
	public int port() {
		return this.listener.port();
	}

	/**
	 * Refuses new connections and resets those that are open.
	 */
	public void stop() {
		this.listener.stop();
		this.links.reset();
	}

	/**
	 * Accepts connections, on the same port as before.
	 */
	public void start() {
		this.listener.start();
	}

	/**
	 * Resets all open connections. New ones are accepted.
	 */
	public void reset() {
		this.links.reset();
	}

	/**
	 * Returns how many connections have been reset.
	 * @return the number of connections
	 */
	public int resets() {
		return this.links.resets();
	}

	/**
	 * Returns how many connections clients have opened, whether or not a server answered.
	 * @return the number of connections
	 */
	public int accepted() {
		return this.listener.accepted();
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
		this.links.reply(bytes);
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
		this.links.strand();
	}

	/**
	 * Ends {@link #blackHole()} and {@link #strand()}. Connections that lived through
	 * them are reset, and what was under way on them never arrives.
	 */
	public void heal() {
		boolean all = this.traffic.isBlackHole();
		this.links.reset((link) -> all || link.isStranded());
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

}
