/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import com.rabbitmq.client.BuiltinExchangeType;
import io.orderedoutbox.chaos.server.ControlledServers;

/**
 * {@link Topology} in a broker that may be away for a while when it is asked for
 * something.
 */
public final class BrokerTopology implements DeclaredTopology {

	private static final String POLICY = "chaos-limit";

	private static final int NO_LIMIT = 1_000_000_000;

	private final ControlledServers servers;

	private final BrokerCommands broker;

	private final String queue;

	private final String type;

	private final List<String> exchanges;

	private Consumer<Boolean> consumerPause = (pause) -> {
	};

	private boolean limited;

	private BrokerTopology(ControlledServers servers, String name, String type) {
		this.servers = servers;
		this.broker = new BrokerCommands(servers);
		this.queue = name;
		this.type = type;
		this.exchanges = List.of(name + ".steady", name + ".flaky");
	}

	/**
	 * Declare the queue and the exchanges.
	 * @param servers where the broker is
	 * @param name the name of the queue, with which those of the exchanges begin
	 * @param type the type of the queue: classic or quorum
	 * @return the topology
	 */
	public static BrokerTopology declare(ControlledServers servers, String name, String type) {
		BrokerTopology topology = new BrokerTopology(servers, name, type);
		// A consumer that loses its connection often must not make messages disappear
		Map<String, Object> arguments = type.equals("quorum") ? Map.of("x-queue-type", type, "x-delivery-limit", -1)
				: Map.of("x-queue-type", type);
		topology.broker.give((channel) -> channel.queueDeclare(name, true, false, false, arguments));
		topology.restore();
		return topology;
	}

	/**
	 * Say how the queue's consumer is paused. A queue that somebody empties is never
	 * full.
	 * @param pause told whether to pause
	 */
	public synchronized void setConsumerPause(Consumer<Boolean> pause) {
		this.consumerPause = pause;
	}

	@Override
	public List<String> exchanges() {
		return this.exchanges;
	}

	@Override
	public String queue() {
		return this.queue;
	}

	@Override
	public void deleteExchange(String exchange) {
		this.broker.give((channel) -> channel.exchangeDelete(exchange));
	}

	@Override
	public void deleteBinding(String exchange) {
		this.broker.give((channel) -> channel.queueUnbind(this.queue, exchange, "#"));
	}

	// A classic queue that gets a length and the rejecting in one policy drops what it
	// has too much, although confirmed (RabbitMQ 4.3: 1,995 of 2,000 with a length of 5;
	// quorum queues do not). Once it rejects, a new length drops nothing
	@Override
	public synchronized void rejectPublishBeyond(int length) {
		this.limited = true;
		limit(NO_LIMIT);
		limit(length);
		this.consumerPause.accept(true);
	}

	private void limit(int length) {
		this.servers.brokerControl("set_policy", "--apply-to", "queues", POLICY, "^" + this.queue + "$",
				"{\"max-length\":%d,\"overflow\":\"reject-publish\"}".formatted(length));
	}

	@Override
	public void bindFullQueue(String exchange) {
		this.broker.give((channel) -> {
			channel.queueDeclare(fullQueue(), true, false, false,
					Map.of("x-queue-type", this.type, "x-max-length", 1, "x-overflow", "reject-publish"));
			channel.queueBind(fullQueue(), exchange, "#");
		});
	}

	private String fullQueue() {
		return this.queue + ".full";
	}

	@Override
	public synchronized void restore() {
		if (this.limited) {
			this.servers.brokerControl("clear_policy", POLICY);
			this.consumerPause.accept(false);
			this.limited = false;
		}
		this.broker.give((channel) -> {
			channel.queueDelete(fullQueue());
			for (String exchange : this.exchanges) {
				channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true);
				channel.queueBind(this.queue, exchange, "#");
			}
		});
	}

	@Override
	public int depth() {
		int[] depth = new int[1];
		this.broker.give((channel) -> depth[0] = channel.queueDeclarePassive(this.queue).getMessageCount());
		return depth[0];
	}

	@Override
	public void close() {
		this.broker.give((channel) -> {
			channel.queueDelete(this.queue);
			for (String exchange : this.exchanges) {
				channel.exchangeDelete(exchange);
			}
		});
	}

}
