package io.orderedoutbox.listen;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import io.orderedoutbox.relay.MessageSender;
import io.orderedoutbox.relay.SendingChannel;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * {@link MessageSender} that hands messages to the {@link OutboxListener} methods of the
 * same application.
 * <p>
 * A channel hands over one message after the other, and the worker that has opened it
 * waits for the listeners: so there are as many listeners at work as the relay has
 * workers. They are called on a thread of their own, because the thread of the worker
 * belongs to the transaction that holds the claim.
 */
public final class ListenerMessageSender implements MessageSender {

	private final OutboxListeners listeners;

	private final PayloadReader reader;

	/**
	 * Create a sender.
	 * @param listeners the listeners
	 * @param reader makes what they take
	 */
	public ListenerMessageSender(OutboxListeners listeners, PayloadReader reader) {
		this.listeners = listeners;
		this.reader = reader;
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		// Made with the first message, if there is one
		ExecutorService thread = Executors.newSingleThreadExecutor(new CustomizableThreadFactory("outbox-listener-"));
		try {
			work.accept(new ListenerChannel(this.listeners, this.reader, thread));
		}
		finally {
			thread.shutdown();
		}
	}

}
