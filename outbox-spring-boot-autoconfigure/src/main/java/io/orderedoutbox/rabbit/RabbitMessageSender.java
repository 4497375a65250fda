package io.orderedoutbox.rabbit;

import java.util.function.Consumer;

import com.rabbitmq.client.Channel;
import io.orderedoutbox.relay.MessageSender;
import io.orderedoutbox.relay.SendingChannel;
import io.orderedoutbox.relay.TransportException;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ChannelProxy;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.util.Assert;

/**
 * {@link MessageSender} that pins one channel with {@link RabbitTemplate#invoke} and
 * works on the physical channel behind it.
 * <p>
 * The channel that the template hands out is a proxy that silently opens another channel
 * when the first is gone, with new sequence numbers and without our listeners: what was
 * in flight would then seem confirmed. After anything but a clean end the physical
 * channel is closed, so that nothing of this exchange can meet the next one.
 */
public final class RabbitMessageSender implements MessageSender {

	private static final int MILLIS_TO_ABORT = 1000;

	private final RabbitTemplate template;

	/**
	 * Create a sender.
	 * @param template a template of the outbox's own, whose connection factory has simple
	 * publisher confirms and no publisher returns
	 */
	public RabbitMessageSender(RabbitTemplate template) {
		ConnectionFactory factory = template.getConnectionFactory();
		Assert.isTrue(factory.isSimplePublisherConfirms() && !factory.isPublisherReturns(),
				"The connection factory of the outbox must have publisher-confirm-type 'simple' and no publisher returns: the sender listens to the channel itself");
		this.template = template;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		Attempt attempt = new Attempt(work);
		try {
			this.template.invoke((operations) -> operations.execute(attempt::on));
		}
		catch (AmqpException ex) {
			// Ours went around the template's translation; this one comes from opening or
			// closing the channel
			if (attempt.failure == null && !attempt.done) {
				throw new TransportException("RabbitMQ cannot be reached: " + ex.getMessage(), ex);
			}
		}
		if (attempt.failure != null) {
			throw attempt.failure;
		}
	}

	/**
	 * One use of a channel, and how it ended.
	 */
	private static final class Attempt {

		private final Consumer<SendingChannel> work;

		private boolean done;

		private @Nullable RuntimeException failure;

		Attempt(Consumer<SendingChannel> work) {
			this.work = work;
		}

		boolean on(Channel channel) {
			Channel target = (channel instanceof ChannelProxy proxy) ? proxy.getTargetChannel() : channel;
			try (RabbitSendingChannel sending = new RabbitSendingChannel(target)) {
				this.work.accept(sending);
				this.done = sending.isIdle();
			}
			catch (TransportException ex) {
				this.failure = ex;
				if (target.isOpen()) {
					// The broker is silent: it would not answer a request to close the
					// channel either, and that wait has no limit
					target.getConnection().abort(MILLIS_TO_ABORT);
				}
			}
			catch (RuntimeException ex) {
				this.failure = ex;
			}
			finally {
				if (!this.done) {
					RabbitUtils.setPhysicalCloseRequired(channel, true);
				}
			}
			return this.done;
		}

	}

}
