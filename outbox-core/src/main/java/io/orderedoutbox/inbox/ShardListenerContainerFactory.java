package io.orderedoutbox.inbox;

import java.io.IOException;
import java.util.List;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;

/**
 * Makes containers for {@link ShardQueues}, with a thread for each queue, that keep the
 * order when they stop.
 * <p>
 * A container that stops cancels its consumers, and goes on with what they have fetched
 * beforehand. The broker makes another consumer the active one at once, and hands it what
 * comes behind: it would overtake what is still being processed. So these containers
 * close their channels instead. What was not acknowledged goes back to its place in the
 * queue, and the next consumer begins there. A message that is being processed meanwhile
 * is delivered again: {@link ProcessOnce} makes a duplicate of it.
 */
public class ShardListenerContainerFactory extends DirectRabbitListenerContainerFactory {

	@Override
	protected DirectMessageListenerContainer createContainerInstance() {
		return new ShardListenerContainer();
	}

	private static final class ShardListenerContainer extends DirectMessageListenerContainer {

		private static final Logger logger = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

		@Override
		protected void shutdownAndWaitOrCallback(@Nullable Runnable callback) {
			List.copyOf(this.consumers).forEach((consumer) -> close(consumer.getChannel()));
			super.shutdownAndWaitOrCallback(callback);
		}

		private static void close(Channel channel) {
			try {
				channel.abort();
			}
			catch (IOException | ShutdownSignalException ex) {
				logger.debug("The channel of a shard was closed already", ex);
			}
		}

	}

}
