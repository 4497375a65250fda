/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.impl.AMQImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an error says of a broker that gives no channel.
 */
@Tag("unit")
class ConnectFailureTests {

	@ParameterizedTest
	@CsvSource({ "403, ACCESS_REFUSED, true", "530, NOT_ALLOWED, true", "320, CONNECTION_FORCED, false",
			"541, INTERNAL_ERROR, false", "501, FRAME_ERROR, false" })
	void onlyARefusalIsBlamedOnTheUser(int code, String text, boolean refusal) {
		AMQP.Connection.Close close = new AMQImpl.Connection.Close(code, text, 0, 0);
		ShutdownSignalException signal = new ShutdownSignalException(true, false, close, null);
		CachingConnectionFactory factory = new CachingConnectionFactory("mq", 5672);
		String message = ConnectFailure.of(new AmqpConnectException(signal), BrokerName.of(factory)).getMessage();
		assertThat(message).contains(text, "mq:5672")
			.startsWith(refusal ? "RabbitMQ at" : "There is no connection to RabbitMQ at");
		assertThat(message.contains("spring.rabbitmq.username")).isEqualTo(refusal);
	}

}
