/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.util.List;
import java.util.Map;

import com.rabbitmq.client.BuiltinExchangeType;
import io.orderedoutbox.chaos.server.ControlledServers;
import io.orderedoutbox.inbox.shard.ShardQueues;

import org.springframework.amqp.core.Binding;

/**
 * {@link Topology} that consumers have declared for themselves: one exchange, and queues
 * that share its partitions.
 */
public final class ShardTopology implements DeclaredTopology {

	private static final String POLICY = "chaos-limit";

	private final ControlledServers servers;

	private final BrokerCommands broker;

	private final ShardQueues shards;

	private boolean limited;

	/**
	 * Create a topology, which consumers declare when they start.
	 * @param servers where the broker is
	 * @param shards the queues
	 */
	public ShardTopology(ControlledServers servers, ShardQueues shards) {
		this.servers = servers;
		this.broker = new BrokerCommands(servers);
		this.shards = shards;
	}

	@Override
	public List<String> exchanges() {
		return List.of(this.shards.exchange());
	}

	@Override
	public String queue() {
		return this.shards.name();
	}

	@Override
	public void deleteExchange(String exchange) {
		this.broker.give((channel) -> channel.exchangeDelete(exchange));
	}

	// Those of the first queue only: the messages of other partitions go on
	@Override
	public void deleteBinding(String exchange) {
		String queue = this.shards.names()[0];
		this.broker.give((channel) -> {
			for (Binding binding : bindings()) {
				if (queue.equals(binding.getDestination())) {
					channel.queueUnbind(queue, exchange, binding.getRoutingKey());
				}
			}
		});
	}

	@Override
	public synchronized void rejectPublishBeyond(int length) {
		this.limited = true;
		this.servers.brokerControl("set_policy", "--apply-to", "queues", POLICY, "^" + this.shards.name() + "\\.",
				"{\"max-length\":%d,\"overflow\":\"reject-publish\"}".formatted(length));
	}

	@Override
	public void bindFullQueue(String exchange) {
		this.broker.give((channel) -> {
			channel.queueDeclare(fullQueue(), true, false, false,
					Map.of("x-queue-type", "quorum", "x-max-length", 1, "x-overflow", "reject-publish"));
			for (Binding binding : bindings()) {
				channel.queueBind(fullQueue(), exchange, binding.getRoutingKey());
			}
		});
	}

	private String fullQueue() {
		return this.shards.name() + "-full";
	}

	private List<Binding> bindings() {
		return this.shards.declarables().getDeclarablesByType(Binding.class);
	}

	// RabbitMQ keeps a binding that a consumer makes while the exchange is deleted, and
	// routes nothing by it (4.3.6: in 39 of 40 attempts). To bind again has no effect,
	// because the binding is there. After an unbind it has (40 of 40)
	@Override
	public synchronized void restore() {
		if (this.limited) {
			this.servers.brokerControl("clear_policy", POLICY);
			this.limited = false;
		}
		this.broker.give((channel) -> {
			channel.queueDelete(fullQueue());
			channel.exchangeDeclare(this.shards.exchange(), BuiltinExchangeType.DIRECT, true);
			for (Binding binding : bindings()) {
				channel.queueUnbind(binding.getDestination(), binding.getExchange(), binding.getRoutingKey());
				channel.queueBind(binding.getDestination(), binding.getExchange(), binding.getRoutingKey());
			}
		});
	}

	@Override
	public int depth() {
		int[] depth = new int[1];
		this.broker.give((channel) -> {
			depth[0] = 0;
			for (String queue : this.shards.names()) {
				depth[0] += channel.queueDeclarePassive(queue).getMessageCount();
			}
			depth[0] += channel.queueDeclarePassive(this.shards.deadLetters()).getMessageCount();
		});
		return depth[0];
	}

	// With what tells the consumers that the queues of this count are the only ones
	@Override
	public void close() {
		this.broker.give((channel) -> {
			for (String queue : this.shards.names()) {
				channel.queueDelete(queue);
			}
			channel.queueDelete(this.shards.deadLetters());
			channel.queueDelete(this.shards.members());
			channel.exchangeDelete(this.shards.exchange());
			channel.exchangeDelete(this.shards.name() + "." + this.shards.count());
		});
	}

}
