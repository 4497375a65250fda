/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.test;

import java.util.List;
import java.util.function.Supplier;

import io.orderedoutbox.test.PublishedMessage.State;
import org.assertj.core.api.AssertProvider;

/**
 * What was published since the test method began: what other transactions have committed,
 * on any thread, and what the transaction of the current thread has published and has not
 * committed. What was rolled back is not there.
 * <p>
 * It changes while the test runs. Assert with {@code assertThat(messages)}, of AssertJ or
 * of {@link OutboxAssertions}.
 */
public final class PublishedMessages implements AssertProvider<PublishedMessagesAssert> {

	private final MessageLedger ledger;

	private final Supplier<List<PublishedMessage>> view;

	private PublishedMessages(MessageLedger ledger, Supplier<List<PublishedMessage>> view) {
		this.ledger = ledger;
		this.view = view;
	}

	static PublishedMessages all(MessageLedger ledger) {
		return new PublishedMessages(ledger, ledger::all);
	}

	/**
	 * Return the messages as they are now.
	 * @return the messages: in the order of the commits, and behind them what is not
	 * committed, in the order of publication
	 */
	public List<PublishedMessage> toList() {
		return this.view.get();
	}

	/**
	 * Return the events of a type from which messages were made.
	 * @param <T> the type
	 * @param type the type, or a supertype of several
	 * @return the events, in the order of the messages
	 */
	public <T> List<T> ofType(Class<T> type) {
		return toList().stream().map(PublishedMessage::event).filter(type::isInstance).map(type::cast).toList();
	}

	/**
	 * Return what the transaction of the current thread has published and has not
	 * committed. It needs no commit to be seen, so that a test can be rolled back.
	 * @return these messages only
	 */
	public PublishedMessages pending() {
		return new PublishedMessages(this.ledger,
				() -> this.ledger.all().stream().filter((message) -> message.state() == State.PENDING).toList());
	}

	/**
	 * Return what is committed, whether it has arrived or not.
	 * @return these messages only
	 */
	public PublishedMessages committed() {
		return new PublishedMessages(this.ledger,
				() -> this.ledger.all().stream().filter((message) -> message.state() != State.PENDING).toList());
	}

	/**
	 * Return what has arrived at the broker, or at the sender in memory.
	 * @return these messages only, in the order of their arrival, and one that has
	 * arrived twice twice
	 */
	public PublishedMessages arrived() {
		return new PublishedMessages(this.ledger, this.ledger::arrived);
	}

	/**
	 * Forget what was published until now. What is stored stays there.
	 */
	public void clear() {
		this.ledger.clear();
	}

	/**
	 * What was published besides, for errors.
	 */
	List<PublishedMessage> everything() {
		return this.ledger.all();
	}

	@Override
	public PublishedMessagesAssert assertThat() {
		return new PublishedMessagesAssert(this);
	}

}
