/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.List;
import java.util.UUID;

import com.rabbitmq.client.ConnectionFactory;
import io.orderedoutbox.Destination;
import io.orderedoutbox.contract.MessageSenderContract;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.servers.Broker;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * {@link RabbitMessageSender} behind a network that is cut.
 */
@Tag("order")
@Tag("slow")
class RabbitMessageSenderContractTests extends MessageSenderContract {

	private TestQueue queue;

	private TcpProxy proxy;

	private RabbitMessageSender sender;

	@BeforeEach
	void createSender() {
		Broker broker = Servers.broker();
		this.queue = TestQueue.bound("kept");
		this.proxy = TcpProxy.toBroker();
		ConnectionFactory client = new ConnectionFactory();
		client.setHost(this.proxy.host());
		client.setPort(this.proxy.port());
		client.setUsername(broker.username());
		client.setPassword(broker.password());
		client.setAutomaticRecoveryEnabled(false);
		this.sender = new RabbitMessageSender(new RabbitTemplate(new RelayConnectionFactory(client)),
				new WireFormat(OptionalHeaders.NONE, (message) -> 0));
	}

	@AfterEach
	void closeSender() {
		this.sender.destroy();
		this.proxy.close();
		this.queue.close();
	}

	@Override
	protected MessageSender sender() {
		return this.sender;
	}

	@Override
	protected Destination destination() {
		return new Destination(this.queue.exchange(), "kept");
	}

	@Override
	protected Destination refusedDestination() {
		return new Destination(this.queue.exchange(), "nobody");
	}

	@Override
	protected List<UUID> arrivals() {
		return this.queue.arrivals().stream().map(TestQueue.Arrival::messageId).map(UUID::fromString).toList();
	}

	@Override
	protected void loseBroker() {
		this.proxy.stop();
	}

	@Override
	protected void returnBroker() {
		this.proxy.start();
	}

}
