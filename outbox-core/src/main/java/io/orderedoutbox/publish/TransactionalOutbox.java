/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.publish;

import java.util.UUID;
import java.util.function.Supplier;

import io.orderedoutbox.Correlation;
import io.orderedoutbox.Outbox;
import io.orderedoutbox.OutboxSuppression;
import io.orderedoutbox.Stamp;
import io.orderedoutbox.store.Message;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * {@link Outbox} that makes the message at the call and leaves it in the buffer of the
 * current transaction.
 * <ol>
 * <li>The transaction must be one that can store the message.</li>
 * <li>Name and destination are fixed, the event is serialised.</li>
 * <li>The message joins the transaction's buffer; {@link OutboxTransactionListener}
 * writes it just before the commit.</li>
 * </ol>
 * The outbox throws any error before the third step. While an {@link OutboxSuppression}
 * is active there is none of these steps.
 */
public final class TransactionalOutbox implements Outbox {

	private final OutboxTransactionListener transactions;

	private final MessageFactory messages;

	private final Supplier<@Nullable Correlation> origin;

	/**
	 * Create an outbox.
	 * @param transactions knows the current transaction
	 * @param messages makes messages from events
	 * @param origin makes the correlation of a transaction outside of any, {@code null}
	 * for none
	 */
	public TransactionalOutbox(OutboxTransactionListener transactions, MessageFactory messages,
			Supplier<@Nullable Correlation> origin) {
		this.transactions = transactions;
		this.messages = messages;
		this.origin = origin;
	}

	@Override
	public UUID publish(Object event, Stamp... stamps) {
		Assert.notNull(event, "'event' must not be null");
		if (OutboxSuppression.isActive()) {
			return this.messages.id(Stamps.of(stamps));
		}
		OutboxTransaction transaction = this.transactions.require(event.getClass());
		Message message = this.messages.create(event, correlated(Stamps.of(stamps), transaction));
		transaction.add(message);
		return message.messageId();
	}

	private Stamps correlated(Stamps stamps, OutboxTransaction transaction) {
		Correlation current = Correlation.current();
		Correlation correlation = (current != null) ? current : transaction.correlation(this.origin);
		return (correlation != null) ? stamps.withHeaders(correlation.headers()) : stamps;
	}

}
