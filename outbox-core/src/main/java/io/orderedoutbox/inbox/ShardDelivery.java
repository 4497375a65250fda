package io.orderedoutbox.inbox;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.client.Channel;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.core.Message;
import org.springframework.util.backoff.BackOffExecution;

/**
 * A message of a shard from its delivery until it is acknowledged.
 * <ol>
 * <li>Process it. If that succeeds, acknowledge it.</li>
 * <li>If it fails, wait and process it again, at growing intervals.</li>
 * <li>If it was tried as often as allowed, or fails in a way that another attempt cannot
 * mend, make a dead letter of it, and acknowledge it when the broker has confirmed that.
 * If there is no dead letter, go on as before: nothing is lost.</li>
 * <li>If its channel is closed, or the container is about to stop, do nothing: the broker
 * delivers it again.</li>
 * </ol>
 */
final class ShardDelivery implements KeyDispatcher.Work {

	private final ShardListenerContainer container;

	private final Channel channel;

	private final Channel target;

	private final Message message;

	private final BackOffExecution backOff;

	private final AtomicInteger failures = new AtomicInteger();

	/**
	 * Create a delivery.
	 * @param channel the channel that the listener sees
	 * @param target the channel that the message came by
	 */
	ShardDelivery(ShardListenerContainer container, Channel channel, Channel target, Message message,
			BackOffExecution backOff) {
		this.container = container;
		this.channel = channel;
		this.target = target;
		this.message = message;
		this.backOff = backOff;
	}

	@Override
	public @Nullable Duration run() {
		if (isVoid()) {
			return null;
		}
		if (hasFailed()) {
			this.container.counts().retried(queue());
		}
		Throwable failure = this.container.process(this.channel, this.message);
		if (failure == null) {
			this.container.acknowledge(this.target, this.message);
			return null;
		}
		if (isVoid() || this.container.isStopping()) {
			return null;
		}
		int attempts = this.failures.incrementAndGet();
		if (this.container.becomesDeadLetter(this.message, failure, attempts)) {
			this.container.acknowledge(this.target, this.message);
			return null;
		}
		return Duration.ofMillis(this.backOff.nextBackOff());
	}

	@Override
	public boolean isVoid() {
		return !this.target.isOpen();
	}

	@Override
	public boolean hasFailed() {
		return this.failures.get() > 0;
	}

	@Override
	public String queue() {
		return String.valueOf(this.message.getMessageProperties().getConsumerQueue());
	}

}
