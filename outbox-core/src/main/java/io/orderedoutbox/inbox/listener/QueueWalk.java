package io.orderedoutbox.inbox.listener;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import org.jspecify.annotations.Nullable;

import org.springframework.amqp.AmqpIOException;

/**
 * Takes the messages out of a queue one after the other, to its end. What is not
 * acknowledged goes back when the channel is closed.
 * <ol>
 * <li>Consume, with a limit of messages that are not acknowledged. (A quorum queue takes
 * back what {@code basic.get} has taken in any order, and what a consumer has in its
 * order.)</li>
 * <li>When all that the consumers may hold is held, add another consumer: only messages
 * on their way are in the memory of this process.</li>
 * <li>When the broker says that no message is left, and none comes for a while, that is
 * the end.</li>
 * </ol>
 */
final class QueueWalk {

	private static final int PREFETCH = 250;

	private static final long PAUSE_MILLIS = 20;

	private static final long LAST_PAUSE_MILLIS = 300;

	private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();

	private final Channel channel;

	private final String queue;

	private int room;

	private int taken;

	QueueWalk(Channel channel, String queue) {
		this.channel = channel;
		this.queue = queue;
	}

	/** Return the next message, null at the end. */
	@Nullable Delivery next() throws IOException {
		if (this.room == 0) {
			consume();
		}
		Delivery next = poll(PAUSE_MILLIS);
		while (next == null && this.channel.messageCount(this.queue) > 0) {
			next = poll(PAUSE_MILLIS);
		}
		return (next != null) ? next : poll(LAST_PAUSE_MILLIS);
	}

	private @Nullable Delivery poll(long millis) {
		try {
			Delivery next = this.deliveries.poll(millis, TimeUnit.MILLISECONDS);
			if (next != null) {
				this.room--;
				this.taken++;
			}
			return next;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AmqpIOException(new IOException("Interrupted", ex));
		}
	}

	private void consume() throws IOException {
		this.channel.basicQos(PREFETCH);
		this.channel.basicConsume(this.queue, false, (tag, delivery) -> this.deliveries.add(delivery), (tag) -> {
		});
		this.room += PREFETCH;
	}

	void acknowledge(Delivery delivery) throws IOException {
		this.channel.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
		this.room++;
		this.taken--;
	}

	/** Return how many messages go back when the channel is closed. */
	int held() {
		return this.taken + this.deliveries.size();
	}

}
