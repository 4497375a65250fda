package io.orderedoutbox.inbox;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.support.ConsumerTagStrategy;

/**
 * Makes containers for {@link ShardQueues}, with a consumer for each queue, that keep the
 * order when they stop.
 * <p>
 * A container that stops cancels its consumers, and goes on with what they have fetched
 * beforehand. The broker makes another consumer the active one at once, and hands it what
 * comes behind: it would overtake what is still being processed. So these containers
 * close their channels instead. What was not acknowledged goes back to its place in the
 * queue, and the next consumer begins there. A message that is being processed meanwhile
 * is delivered again: {@link ProcessOnce} makes a duplicate of it.
 * <p>
 * Each container consumes each queue with a random priority of its own, so that the
 * queues are spread over all instances without any of them knowing of the others. A
 * quorum queue of RabbitMQ 4 hands no more messages to the active consumer when one with
 * a higher priority comes, and makes that one active as soon as the other one has
 * acknowledged what it had fetched.
 */
public class ShardListenerContainerFactory extends DirectRabbitListenerContainerFactory {

	@Override
	protected DirectMessageListenerContainer createContainerInstance() {
		return new ShardListenerContainer();
	}

	private static final class ShardListenerContainer extends DirectMessageListenerContainer {

		private static final Logger logger = LoggerFactory.getLogger(ShardListenerContainerFactory.class);

		private static final int HIGHEST_PRIORITY = 1_000_000;

		// By queue: it stays the same when a consumer is made again, so that the queue
		// does
		// not move
		private final Map<String, Integer> priorities = new ConcurrentHashMap<>();

		private final ThreadLocal<@Nullable String> queue = new ThreadLocal<>();

		// The container asks for a tag, and then for the arguments of the same consumer.
		// With another order the priority would be that of another queue: no harm to the
		// order of messages
		@Override
		protected ConsumerTagStrategy getConsumerTagStrategy() {
			ConsumerTagStrategy configured = super.getConsumerTagStrategy();
			return (name) -> {
				this.queue.set(name);
				return (configured != null) ? configured.createConsumerTag(name) : "";
			};
		}

		@Override
		public Map<String, Object> getConsumerArguments() {
			Map<String, Object> arguments = new HashMap<>(super.getConsumerArguments());
			String name = this.queue.get();
			this.queue.remove();
			if (name != null) {
				arguments.putIfAbsent("x-priority", this.priorities.computeIfAbsent(name,
						(any) -> ThreadLocalRandom.current().nextInt(HIGHEST_PRIORITY)));
			}
			return arguments;
		}

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
