/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.rabbit;

import java.util.function.Consumer;

import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However the broker is lost, the relay says which broker it is, and why in words.
 */
@Timeout(90)
@Tag("slow")
@ExtendWith(OutputCaptureExtension.class)
class OutageWordsTests {

	private static final String BEGINNING = "The relay cannot work: ";

	@Test
	void aBrokerThatFallsSilent(CapturedOutput output) {
		saysWhichBrokerItIs(output, TcpProxy::freeze, "no confirm from the broker within");
	}

	@Test
	void aConnectionThatIsCut(CapturedOutput output) {
		// Not at the next byte: that may be of a heartbeat or of a channel that closes,
		// and the message would go over a new connection
		saysWhichBrokerItIs(output, (proxy) -> proxy.resetBefore("the second"), "RabbitMQ was lost");
	}

	@Test
	void aBrokerThatIsNotThere(CapturedOutput output) {
		saysWhichBrokerItIs(output, TcpProxy::stop, "RabbitMQ cannot be reached");
	}

	private static void saysWhichBrokerItIs(CapturedOutput output, Consumer<TcpProxy> loss, String words) {
		try (TestQueue queue = TestQueue.forEverything();
				TcpProxy proxy = TcpProxy.toBroker();
				OutboxApplication application = OutboxApplication.on(Servers.database().fresh())
					.sendingTo(queue)
					.brokerThrough(proxy)
					.with("outbox.relay.confirm-timeout", "500ms")
					.with("outbox.relay.workers", 1)
					.start()) {
			application.publish(new OrderPlaced("a", 1));
			queue.await(1);
			application.awaitEmpty();
			loss.accept(proxy);
			application.publish(new OrderPlaced("the second", 2));
			String password = Servers.broker().password();
			// The log keeps it; the status forgets it when the broker can be reached
			String said = Awaitility.await().until(() -> whyItCannotWork(output), (line) -> line.contains(words));
			assertThat(said)
				.contains("%s:%d (user '%s', virtual host '".formatted(proxy.host(), proxy.port(),
						Servers.broker().username()))
				.doesNotContain("io.orderedoutbox", "TransportException", "'" + password + "@", ":" + password + "@");
		}
	}

	private static String whyItCannotWork(CapturedOutput output) {
		return output.toString()
			.lines()
			.filter((line) -> line.contains(BEGINNING))
			.map((line) -> line.substring(line.indexOf(BEGINNING)))
			.findFirst()
			.orElse("");
	}

}
