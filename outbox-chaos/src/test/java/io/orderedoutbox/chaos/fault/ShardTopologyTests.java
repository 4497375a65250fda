/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.chaos.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.orderedoutbox.chaos.server.BrokerConnections;
import io.orderedoutbox.chaos.server.SharedServers;
import io.orderedoutbox.inbox.shard.ShardQueues;
import io.orderedoutbox.servers.RequiresRabbitMq;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.core.Binding;

import static org.assertj.core.api.Assertions.assertThat;

@RequiresRabbitMq
class ShardTopologyTests {

	private static final int DELETIONS = 5;

	private final SharedServers servers = new SharedServers();

	private final String name = "topology-" + UUID.randomUUID();

	private final ShardQueues shards = ShardQueues.of(this.name, this.name, 3);

	private final ShardTopology topology = new ShardTopology(this.servers, this.shards);

	private Connection connection;

	@BeforeEach
	void declareQueues() throws Exception {
		this.connection = BrokerConnections.open(this.servers, this.name);
		try (Channel channel = this.connection.createChannel()) {
			for (String queue : this.shards.names()) {
				channel.queueDeclare(queue, true, false, false, null);
			}
		}
		this.topology.restore();
	}

	@AfterEach
	void deleteAll() throws IOException {
		this.topology.close();
		this.connection.close();
		this.servers.close();
	}

	@Test
	void anExchangeThatWasDeletedWhileConsumersBoundTheirQueuesRoutesAllPartitionsOnceItIsRestored() throws Exception {
		AtomicBoolean end = new AtomicBoolean();
		ExecutorService consumers = Executors.newFixedThreadPool(2);
		Future<?> one = consumers.submit(() -> bindUntil(end));
		Future<?> another = consumers.submit(() -> bindUntil(end));
		try {
			for (int i = 0; i < DELETIONS; i++) {
				this.topology.deleteExchange(this.name);
				this.topology.restore();
				assertThat(partitionsWithoutRoute()).as("after deletion " + i).isEmpty();
			}
		}
		finally {
			end.set(true);
			one.get();
			another.get();
			consumers.shutdown();
		}
		assertThat(partitionsWithoutRoute()).isEmpty();
	}

	// As a RabbitAdmin does whenever it connects
	private Void bindUntil(AtomicBoolean end) throws IOException {
		while (!end.get()) {
			Channel channel = this.connection.createChannel();
			try {
				channel.exchangeDeclare(this.name, BuiltinExchangeType.DIRECT, true);
				for (Binding binding : this.shards.declarables().getDeclarablesByType(Binding.class)) {
					channel.queueBind(binding.getDestination(), this.name, binding.getRoutingKey());
				}
				channel.abort();
			}
			catch (IOException | AlreadyClosedException ex) {
				assertThat(ex).as("the exchange is deleted").hasStackTraceContaining("NOT_FOUND");
			}
		}
		return null;
	}

	private Set<String> partitionsWithoutRoute() throws Exception {
		Set<String> returned = new ConcurrentSkipListSet<>();
		try (Channel channel = this.connection.createChannel()) {
			channel.confirmSelect();
			channel.addReturnListener((message) -> returned.add(message.getRoutingKey()));
			for (int partition = 0; partition < this.shards.partitions(); partition++) {
				channel.basicPublish(this.name, String.valueOf(partition), true, null, new byte[0]);
			}
			channel.waitForConfirmsOrDie(Duration.ofSeconds(30).toMillis());
		}
		return returned;
	}

}
