/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.benchmark.latency;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.orderedoutbox.benchmark.application.Instance;
import io.orderedoutbox.servers.Broker;

/**
 * A network between an application and the broker on which each answer of the broker is
 * under way for a while, however much else is under way. Requests arrive at once.
 */
final class DelayProxy implements AutoCloseable {

	private static final int BUFFER = 64 * 1024;

	private final Broker broker;

	private final long delay;

	private final ServerSocket listener;

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private volatile boolean frozen;

	private DelayProxy(Broker broker, Duration delay, ServerSocket listener) {
		this.broker = broker;
		this.delay = delay.toNanos();
		this.listener = listener;
	}

	static DelayProxy before(Broker broker, Duration delay) throws IOException {
		DelayProxy proxy = new DelayProxy(broker, delay, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
		start("accept", proxy::accept);
		return proxy;
	}

	/**
	 * Let an instance reach the broker through the proxy.
	 */
	Instance.Builder used(Instance.Builder instance) {
		return instance.with("spring.rabbitmq.host", this.listener.getInetAddress().getHostAddress())
			.with("spring.rabbitmq.port", this.listener.getLocalPort());
	}

	/**
	 * From now on nothing arrives any more that the broker says. Requests arrive still.
	 */
	void freeze() {
		this.frozen = true;
	}

	private static void start(String name, Step step) {
		Thread thread = new Thread(() -> {
			try {
				step.run();
			}
			catch (IOException ex) {
				// The proxy or a side of the connection is closed
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}, "delay-proxy-" + name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() throws IOException {
		while (true) {
			Socket client = this.listener.accept();
			Socket server = new Socket(this.broker.host(), this.broker.port());
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			this.sockets.add(client);
			this.sockets.add(server);
			BlockingQueue<Packet> underWay = new LinkedBlockingQueue<>();
			start("requests", () -> pass(client, server));
			start("answers", () -> receive(server, underWay));
			start("delay", () -> deliver(underWay, client));
		}
	}

	private static void pass(Socket from, Socket to) throws IOException {
		try (from; to) {
			from.getInputStream().transferTo(to.getOutputStream());
		}
	}

	private void receive(Socket server, BlockingQueue<Packet> underWay) throws IOException {
		byte[] buffer = new byte[BUFFER];
		InputStream input = server.getInputStream();
		for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
			underWay.add(new Packet(System.nanoTime() + this.delay, Arrays.copyOf(buffer, length)));
		}
		underWay.add(new Packet(System.nanoTime(), new byte[0]));
	}

	private void deliver(BlockingQueue<Packet> underWay, Socket client) throws IOException, InterruptedException {
		try (client) {
			OutputStream output = client.getOutputStream();
			for (Packet packet = underWay.take(); packet.bytes().length > 0; packet = underWay.take()) {
				for (long wait = packet.due() - System.nanoTime(); wait > 0; wait = packet.due() - System.nanoTime()) {
					LockSupport.parkNanos(Math.min(wait, TimeUnit.SECONDS.toNanos(1)));
				}
				if (!this.frozen) {
					output.write(packet.bytes());
				}
			}
		}
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@FunctionalInterface
	private interface Step {

		void run() throws IOException, InterruptedException;

	}

	/**
	 * Something that the broker said.
	 *
	 * @param due when it arrives; without bytes it is the end
	 */
	@SuppressWarnings("ArrayRecordComponent") // never compared
	private record Packet(long due, byte[] bytes) {

	}

}
