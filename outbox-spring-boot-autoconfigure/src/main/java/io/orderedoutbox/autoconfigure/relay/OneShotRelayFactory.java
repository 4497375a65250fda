/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.autoconfigure.relay;

import io.orderedoutbox.autoconfigure.OutboxProperties;
import io.orderedoutbox.autoconfigure.OutboxProperties.Relay;
import io.orderedoutbox.relay.OneShotRelay;
import io.orderedoutbox.relay.OneShotSettings;
import io.orderedoutbox.relay.RelayListener;
import io.orderedoutbox.relay.payload.ReferredPayloads;
import io.orderedoutbox.relay.recovery.CrashRecovery;
import io.orderedoutbox.send.MessageSender;
import io.orderedoutbox.send.MessageSenderDecorator;
import io.orderedoutbox.store.RelayStore;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Makes relays that drain the outbox once, of the beans that the relay of the application
 * is made of: the same store and sender, with all that stands before them.
 */
public final class OneShotRelayFactory {

	private final RelayStore store;

	private final OutboxProperties properties;

	private final ListableBeanFactory beans;

	OneShotRelayFactory(RelayStore store, OutboxProperties properties, ListableBeanFactory beans) {
		this.store = store;
		this.properties = properties;
		this.beans = beans;
	}

	/**
	 * Make a relay. Where the store looks at the whole outbox only once in a poll
	 * interval, it has to be told to {@linkplain RelayStore#refresh() look at it anew}
	 * before the relay drains.
	 * @param workers how many threads it has
	 * @return a new relay
	 */
	public OneShotRelay create(int workers) {
		Relay relay = this.properties.relay();
		RelayStore recovering = OutboxRelayAutoConfiguration.recovering(this.store,
				this.beans.getBeanProvider(CrashRecovery.class));
		return new OneShotRelay(
				OutboxRelayAutoConfiguration.loading(recovering, this.beans.getBeanProvider(ReferredPayloads.class)),
				OutboxRelayAutoConfiguration.only(this.beans.getBeanProvider(MessageSender.class),
						this.beans.getBeanProvider(MessageSenderDecorator.class), this.beans),
				new OneShotSettings(workers, relay.once().limit(), relay.once().timeLimit(), relay.stopTimeout(),
						OutboxRelayAutoConfiguration.worker(relay, this.properties.retry())),
				this.beans.getBeanProvider(RelayListener.class).orderedStream().toList());
	}

}
