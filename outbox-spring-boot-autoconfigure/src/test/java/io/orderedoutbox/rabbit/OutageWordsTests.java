package io.orderedoutbox.rabbit;

import java.time.Duration;
import java.util.function.Consumer;

import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.servers.Servers;
import io.orderedoutbox.servers.TcpProxy;
import io.orderedoutbox.testing.OrderPlaced;
import io.orderedoutbox.testing.OutboxApplication;
import io.orderedoutbox.testing.TestQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However the broker is lost, the relay says which broker it is, and why in words.
 */
@Timeout(90)
@Tag("slow")
class OutageWordsTests {

	@Test
	void aBrokerThatFallsSilent() {
		saysWhichBrokerItIs(TcpProxy::freeze, "no confirm from the broker within");
	}

	@Test
	void aConnectionThatIsCut() {
		saysWhichBrokerItIs((proxy) -> proxy.resetAfter(1), "RabbitMQ was lost");
	}

	@Test
	void aBrokerThatIsNotThere() {
		saysWhichBrokerItIs(TcpProxy::stop, "RabbitMQ cannot be reached");
	}

	private static void saysWhichBrokerItIs(Consumer<TcpProxy> loss, String words) {
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
			application.publish(new OrderPlaced("a", 2));
			String password = Servers.broker().password();
			OutboxRelay relay = application.bean(OutboxRelay.class);
			// Over in a moment where the broker can be reached again
			String outage = Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.until(relay::outage, (seen) -> seen != null && seen.contains(words));
			assertThat(outage)
				.contains("%s:%d (user '%s', virtual host '".formatted(proxy.host(), proxy.port(),
						Servers.broker().username()))
				.doesNotContain("io.orderedoutbox", "TransportException", "'" + password + "@", ":" + password + "@");
		}
	}

}
