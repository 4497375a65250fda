package io.orderedoutbox.relay;

import java.util.function.Consumer;

/**
 * Sends messages to a broker. Declare a bean of this type to replace the default, which
 * sends to RabbitMQ.
 */
@FunctionalInterface
public interface MessageSender {

	/**
	 * Open a channel for the calling thread, use it, and close it. Messages of one
	 * partition key that are given to one channel reach the broker in the order given.
	 * @param work what to do with the channel
	 * @throws TransportException if the broker cannot be reached, or was lost on the way
	 * @throws ChannelRefusedException if the broker closed the channel because of
	 * something that was sent
	 */
	void withChannel(Consumer<SendingChannel> work);

}
