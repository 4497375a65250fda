/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

import io.orderedoutbox.servers.TcpTraffic.Verdict;

/**
 * One connection of a client, and ours to the server for it.
 */
final class TcpLink {

	private final Socket client;

	private final Socket server;

	private final TcpTraffic traffic;

	private volatile boolean reset;

	private volatile boolean stranded;

	/**
	 * @param client the connection that was accepted
	 * @param server the connection to the server; one that is not connected is as good as
	 * a server that never answers
	 * @param traffic what may pass
	 */
	TcpLink(Socket client, Socket server, TcpTraffic traffic) throws IOException {
		this.client = client;
		this.server = server;
		this.traffic = traffic;
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
	}

	/**
	 * Forwards one direction until one of the sides ends it.
	 * @return whether it ended because of what it was about to forward
	 */
	boolean pump(boolean requests) {
		try {
			return forward(requests);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private boolean forward(boolean requests) throws InterruptedException {
		byte[] packet = new byte[TcpTraffic.GREATEST_PACKET];
		try {
			InputStream in = (requests ? this.client : this.server).getInputStream();
			OutputStream out = (requests ? this.server : this.client).getOutputStream();
			int length = in.read(packet, 0, this.traffic.packet());
			while (length >= 0) {
				Verdict verdict = this.traffic.judge(this, packet, length, requests);
				if (verdict == Verdict.DROP || verdict == Verdict.FORBIDDEN) {
					return verdict == Verdict.FORBIDDEN;
				}
				if (verdict == Verdict.ANSWERED) {
					reply(this.traffic.answer());
				}
				else {
					write(out, packet, length);
				}
				if (requests) {
					this.traffic.count(length);
				}
				length = in.read(packet, 0, this.traffic.packet());
			}
		}
		catch (IOException ex) {
			// closed by one of the sides, or reset
		}
		this.traffic.awaitNews(this);
		return false;
	}

	/**
	 * Says something in the name of the server.
	 */
	void reply(byte[] bytes) throws IOException {
		write(this.client.getOutputStream(), bytes, bytes.length);
	}

	private static void write(OutputStream out, byte[] bytes, int length) throws IOException {
		synchronized (out) {
			out.write(bytes, 0, length);
		}
	}

	boolean isReset() {
		return this.reset;
	}

	boolean isStranded() {
		return this.stranded;
	}

	void strand() {
		this.stranded = true;
		abort(this.server);
	}

	void reset() {
		this.reset = true;
		abort(this.client);
		abort(this.server);
	}

	void close() {
		TcpListener.close(this.client);
		TcpListener.close(this.server);
	}

	private static void abort(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// closed already
		}
		TcpListener.close(socket);
	}

}
