/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The connections that are open through a proxy.
 */
final class TcpLinks {

	private final InetSocketAddress server;

	private final TcpTraffic traffic;

	private final Set<TcpLink> links = ConcurrentHashMap.newKeySet();

	private final AtomicInteger resets = new AtomicInteger();

	/**
	 * @param server where they lead
	 * @param traffic what may pass
	 */
	TcpLinks(InetSocketAddress server, TcpTraffic traffic) {
		this.server = server;
		this.traffic = traffic;
	}

	/**
	 * Connects a client with the server. The link is known before the server can have
	 * accepted it: whoever sees the server's end may want something done to the link.
	 */
	void open(Socket client) throws IOException {
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
		TcpListener.thread(() -> pump(link, true));
		TcpListener.thread(() -> pump(link, false));
	}

	private void pump(TcpLink link, boolean requests) {
		boolean forbidden = link.pump(requests);
		if (forbidden) {
			reset(link);
		}
		this.links.remove(link);
		link.close();
	}

	void reset() {
		reset((link) -> true);
	}

	void reset(Predicate<TcpLink> which) {
		this.links.stream().filter(which).forEach(this::reset);
	}

	private void reset(TcpLink link) {
		if (this.links.remove(link)) {
			this.resets.incrementAndGet();
			link.reset();
			this.traffic.changed();
		}
	}

	/**
	 * How many connections have been reset.
	 */
	int resets() {
		return this.resets.get();
	}

	void strand() {
		this.links.forEach(TcpLink::strand);
	}

	/**
	 * Says something in the name of the server, on all connections.
	 */
	void reply(byte[] bytes) {
		for (TcpLink link : this.links) {
			try {
				link.reply(bytes);
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The client has closed its connection", ex);
			}
		}
	}

}
