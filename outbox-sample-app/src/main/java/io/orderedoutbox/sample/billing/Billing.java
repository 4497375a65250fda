/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.sample.billing;

import java.time.Instant;

import io.orderedoutbox.inbox.monitor.ConsumerDescriptor;
import io.orderedoutbox.inbox.monitor.InboxConsole;
import io.orderedoutbox.inbox.monitor.InboxDescriptor;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Service;

/**
 * What can be seen of billing, and done to it.
 */
@Service
@ConditionalOnProperty("sample.billing.enabled")
public class Billing {

	private static final int SHOWN = 8;

	private final InboxConsole inbox;

	private final Invoices invoices;

	private final FailureSwitch failures;

	private final LastMessages lastMessages;

	Billing(InboxConsole inbox, Invoices invoices, FailureSwitch failures, LastMessages lastMessages) {
		this.inbox = inbox;
		this.invoices = invoices;
		this.failures = failures;
		this.lastMessages = lastMessages;
	}

	/**
	 * Return how it is doing.
	 * @return the state
	 */
	public BillingState state() {
		InboxDescriptor overview = this.inbox.overview();
		ConsumerDescriptor consumer = overview.consumers()
			.stream()
			.filter((candidate) -> candidate.name().equals(BillingListener.NAME))
			.findFirst()
			.orElseGet(() -> new ConsumerDescriptor(BillingListener.NAME, 0, 0, 0, 0, Instant.EPOCH));
		Instant now = Instant.now();
		Failing failing = this.failures.find().orElse(null);
		return new BillingState(failing, this.invoices.countLines(), consumer.processed(), consumer.duplicates(),
				consumer.failed(), overview.shards().stream().map((shard) -> Shard.of(shard, now)).toList(),
				this.invoices.findNewest(SHOWN).stream().map((invoice) -> invoice.with(failing)).toList());
	}

	/**
	 * Let the handler fail, in all instances.
	 * @param failing for which orders
	 */
	public void startToFail(Failing failing) {
		this.failures.turnOn(failing);
	}

	/**
	 * Let the handler do its work again.
	 */
	public void stopToFail() {
		this.failures.turnOff();
	}

	/**
	 * Publish the last messages again that this instance has billed.
	 * @return how many there were
	 */
	public int publishAgain() {
		return this.lastMessages.publishAgain();
	}

}
