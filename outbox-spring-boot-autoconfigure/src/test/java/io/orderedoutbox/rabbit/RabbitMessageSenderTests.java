package io.orderedoutbox.rabbit;

import java.io.IOException;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.relay.TransportException;
import io.orderedoutbox.testing.TestQueue;
import org.junit.jupiter.api.Test;

import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Channels that cannot say what became of a message are not used.
 */
class RabbitMessageSenderTests {

	@Test
	void refusesAConnectionFactoryWithoutConfirms() {
		refuses(factory(ConfirmType.NONE, false));
	}

	@Test
	void refusesAConnectionFactoryWithCorrelatedConfirms() {
		refuses(factory(ConfirmType.CORRELATED, false));
	}

	@Test
	void refusesAConnectionFactoryWithReturnsOfItsOwn() {
		refuses(factory(ConfirmType.SIMPLE, true));
	}

	private static void refuses(CachingConnectionFactory factory) {
		RabbitTemplate template = new RabbitTemplate(factory);
		assertThatIllegalArgumentException().isThrownBy(() -> new RabbitMessageSender(template))
			.withMessageContaining("publisher-confirm-type");
		factory.destroy();
	}

	@Test
	void refusesAChannelThatIsNotInConfirmMode() throws IOException {
		try (TestQueue queue = TestQueue.forEverything()) {
			Channel channel = queue.channel().getConnection().createChannel();
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> new RabbitSendingChannel(channel).close())
				.withMessageContaining("confirm mode");
			channel.confirmSelect();
			new RabbitSendingChannel(channel).close();
		}
	}

	@Test
	void refusesAChannelThatIsClosed() throws Exception {
		try (TestQueue queue = TestQueue.forEverything()) {
			Channel channel = queue.channel().getConnection().createChannel();
			channel.confirmSelect();
			channel.close();
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> new RabbitSendingChannel(channel).close());
		}
	}

	private static CachingConnectionFactory factory(ConfirmType type, boolean returns) {
		CachingConnectionFactory factory = new CachingConnectionFactory();
		factory.setPublisherConfirmType(type);
		factory.setPublisherReturns(returns);
		return factory;
	}

}
