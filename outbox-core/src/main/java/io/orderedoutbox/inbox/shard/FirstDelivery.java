package io.orderedoutbox.inbox.shard;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;

/**
 * A consumer that only takes notice whether a message comes before it is cancelled.
 */
final class FirstDelivery extends DefaultConsumer {

	private static final long SECONDS = 60;

	private final CompletableFuture<Boolean> result = new CompletableFuture<>();

	FirstDelivery(Channel channel) {
		super(channel);
	}

	@Override
	public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
		this.result.complete(true);
	}

	// Comes after all deliveries
	@Override
	public void handleCancelOk(String tag) {
		this.result.complete(false);
	}

	@Override
	public void handleShutdownSignal(String tag, ShutdownSignalException signal) {
		this.result.completeExceptionally(signal);
	}

	/** Return whether a message has come, as soon as that is known. */
	boolean await() {
		return this.result.orTimeout(SECONDS, TimeUnit.SECONDS).join();
	}

}
