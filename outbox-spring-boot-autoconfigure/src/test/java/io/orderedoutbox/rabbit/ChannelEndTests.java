/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.io.IOException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.MissedHeartbeatException;
import com.rabbitmq.client.ShutdownSignalException;
import io.orderedoutbox.send.ChannelRefusedException;
import io.orderedoutbox.send.TransportException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether the end of a channel is the fault of something that was sent.
 */
@Tag("unit")
class ChannelEndTests {

	@ParameterizedTest
	@CsvSource({ "403, ACCESS_REFUSED", "404, NOT_FOUND", "406, PRECONDITION_FAILED", "311, CONTENT_TOO_LARGE" })
	void aChannelThatTheBrokerClosesIsRefused(int code, String text) {
		assertThat(ChannelEnd.closed(byBroker(channelClose(code, text), false)))
			.isInstanceOf(ChannelRefusedException.class)
			.hasMessage("channel closed by the broker: %d %s", code, text);
	}

	@ParameterizedTest
	@CsvSource({ "501, FRAME_ERROR", "502, SYNTAX_ERROR", "505, UNEXPECTED_FRAME", "541, INTERNAL_ERROR" })
	void aConnectionThatTheBrokerClosesForWhatItWasSentIsRefused(int code, String text) {
		assertThat(ChannelEnd.closed(byBroker(connectionClose(code, text), true)))
			.isInstanceOf(ChannelRefusedException.class)
			.hasMessage("connection closed by the broker: %d %s", code, text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'",
			"CONNECTION_FORCED - Closed via management plugin", "CONNECTION_FORCED - vhost '/' is down" })
	void aConnectionThatIsForcedToCloseIsLost(String text) {
		assertThat(ChannelEnd.closed(byBroker(connectionClose(AMQP.CONNECTION_FORCED, text), true)))
			.isInstanceOf(TransportException.class)
			.hasMessageContaining("RabbitMQ was lost")
			.hasMessageContaining(text);
	}

	@Test
	void aConnectionThatBreaksIsLost() {
		assertThat(ChannelEnd.closed(broken(new IOException("Connection reset"))))
			.isInstanceOf(TransportException.class)
			.hasMessageContaining("Connection reset");
		MissedHeartbeatException silence = new MissedHeartbeatException("Heartbeat missing");
		assertThat(ChannelEnd.closed(broken(silence))).isInstanceOf(TransportException.class)
			.hasMessageContaining("Heartbeat missing");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void whatThisSideClosesIsLost(boolean connection) {
		Method reason = connection ? connectionClose(200, "OK") : channelClose(200, "OK");
		assertThat(ChannelEnd.closed(new ShutdownSignalException(connection, true, reason, this)))
			.isInstanceOf(TransportException.class);
	}

	private ShutdownSignalException broken(IOException cause) {
		return new ShutdownSignalException(true, false, null, this, "", cause);
	}

	private ShutdownSignalException byBroker(Method reason, boolean connection) {
		return new ShutdownSignalException(connection, false, reason, this);
	}

	private static AMQP.Channel.Close channelClose(int code, String text) {
		return new AMQP.Channel.Close.Builder().replyCode(code).replyText(text).build();
	}

	private static AMQP.Connection.Close connectionClose(int code, String text) {
		return new AMQP.Connection.Close.Builder().replyCode(code).replyText(text).build();
	}

}
