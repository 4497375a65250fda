/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import io.orderedoutbox.Outbox;
import io.orderedoutbox.publish.OutboxTransactionListener;
import io.orderedoutbox.publish.SeveralOutboxes;
import io.orderedoutbox.relay.OutboxRelay;
import io.orderedoutbox.store.OutboxStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Records what passes the outbox and its store, and pauses the relay before it starts: it
 * claims nothing, and leaves everything to {@link OutboxRelayDriver}.
 */
final class OutboxTestPostProcessor implements BeanPostProcessor {

	private final ObjectProvider<MessageRecorder> recorder;

	private final ObjectProvider<OutboxTransactionListener> transactions;

	OutboxTestPostProcessor(ObjectProvider<MessageRecorder> recorder,
			ObjectProvider<OutboxTransactionListener> transactions) {
		this.recorder = recorder;
		this.transactions = transactions;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof OutboxRelay relay) {
			relay.pause();
		}
		// Each of several outboxes is a bean of its own
		else if (bean instanceof Outbox outbox && !(bean instanceof SeveralOutboxes)) {
			return new RecordingOutbox(outbox, this.recorder.getObject(), this.transactions);
		}
		else if (bean instanceof OutboxStore store) {
			return new RecordingOutboxStore(store, this.recorder.getObject());
		}
		return bean;
	}

}
