/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.SendingChannel;
import io.orderedoutbox.send.TransportException;

/**
 * {@link MessageSender} that sends each message with one of several others, which the
 * name of the message decides.
 * <ol>
 * <li>Open a channel of each sender, one inside the other. A sender that cannot be
 * reached is left out, and not asked again for a while, longer each time.</li>
 * <li>A message goes to the channel of its sender, and its outcome comes from there.</li>
 * <li>A sender is lost: the outcome of each message that it has is that it cannot be
 * reached, and so it is for each message that it would have to send. So it is with one
 * that says nothing for the confirm timeout, whatever the others say. They spend no
 * attempt, their keys wait, and the others go on.</li>
 * <li>No sender is left: the broker is lost, as it is for the relay with one sender.</li>
 * <li>A sender closes its channel because of a message: all channels end with it, and the
 * relay looks for the message among all that were in flight.</li>
 * </ol>
 * Guaranteed: what each sender guarantees, and the order of a key whose messages have
 * different senders, as long as the relay has one message of a key in flight. Not
 * guaranteed: that order with pipelined keys.
 * <p>
 * While a sender cannot be reached, a worker that tries to reach it does nothing else for
 * as long as that takes, once in a while.
 */
public final class RoutingMessageSender implements MessageSender {

	private final MessageNamePatterns<MessageSender> senders;

	private final List<MessageSender> all;

	private final SenderAnswers answers;

	/**
	 * Create a sender.
	 * @param senders which sender a message has
	 * @param confirmTimeout how long a sender may say nothing while it has messages in
	 * flight: then it cannot be reached. No longer than the relay waits for a confirm
	 */
	public RoutingMessageSender(MessageNamePatterns<MessageSender> senders, Duration confirmTimeout) {
		this.senders = senders;
		this.answers = new SenderAnswers(confirmTimeout);
		Set<MessageSender> distinct = new LinkedHashSet<>(senders.byPattern().values());
		distinct.add(senders.otherwise());
		this.all = List.copyOf(distinct);
	}

	@Override
	public void withChannel(Consumer<SendingChannel> work) {
		Map<MessageSender, TransportException> lost = new ConcurrentHashMap<>();
		List<MessageSender> reachable = new ArrayList<>(this.all);
		for (MessageSender sender : this.all) {
			TransportException outage = this.answers.outage(sender);
			if (outage != null) {
				lost.put(sender, outage);
				reachable.remove(sender);
			}
		}
		if (reachable.isEmpty()) {
			reachable.addAll(this.all);
			lost.clear();
		}
		open(reachable.iterator(), new RoutingChannel(this.senders, lost, this.answers), work);
	}

	private void open(Iterator<MessageSender> senders, RoutingChannel routing, Consumer<SendingChannel> work) {
		if (!senders.hasNext()) {
			routing.use(work);
			return;
		}
		MessageSender sender = senders.next();
		boolean[] opened = new boolean[1];
		try {
			sender.withChannel((channel) -> {
				opened[0] = true;
				routing.opened(sender, channel);
				open(senders, routing, work);
				// It has to know how its own channel has ended
				routing.throwIfLost(sender);
			});
		}
		catch (TransportException ex) {
			if (routing.isEnded(ex)) {
				throw ex;
			}
			this.answers.lost(sender, ex);
			routing.lost(sender, ex);
			if (!opened[0]) {
				open(senders, routing, work);
			}
		}
	}

}
