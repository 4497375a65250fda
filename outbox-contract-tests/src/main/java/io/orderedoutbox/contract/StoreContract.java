/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import io.orderedoutbox.Destination;
import io.orderedoutbox.contract.StoreUnderTest.Instance;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What the contracts of stores have in common: an outbox that is empty when a test
 * begins, and workers that end with the test.
 */
@Timeout(120)
public abstract class StoreContract {

	private final Deque<StoreWorker> workers = new ArrayDeque<>();

	private @Nullable StoreUnderTest store;

	private int payloads;

	/**
	 * Create a contract.
	 */
	protected StoreContract() {
	}

	/**
	 * Make an outbox that is empty and keeps the order of partition keys.
	 * @return a new one: the contract closes it when the test ends
	 */
	protected abstract StoreUnderTest create();

	@BeforeEach
	final void begin() {
		this.store = create();
	}

	@AfterEach
	final void closeAll() {
		this.workers.forEach(StoreWorker::close);
		if (this.store != null) {
			this.store.close();
		}
	}

	final StoreUnderTest store() {
		return Objects.requireNonNull(this.store);
	}

	/** A worker of an instance of its own. */
	final StoreWorker worker() {
		return worker(store().instance());
	}

	final StoreWorker worker(Instance instance) {
		StoreWorker worker = new StoreWorker(instance);
		this.workers.push(worker);
		return worker;
	}

	/** Commits messages, and returns where they went. */
	final Set<Integer> commit(Message... messages) {
		return inTransaction((transaction) -> append(messages));
	}

	/** Commits one message for each key, in one transaction. */
	final List<Message> commit(String... keys) {
		Message[] messages = Arrays.stream(keys).map(this::message).toArray(Message[]::new);
		commit(messages);
		return List.of(messages);
	}

	final Set<Integer> append(Message... messages) {
		return store().outboxStore().append(List.of(messages));
	}

	final <T> T inTransaction(Function<TransactionTemplate, T> work) {
		TransactionTemplate transaction = new TransactionTemplate(store().transactionManager());
		transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return Objects.requireNonNull(transaction.execute((status) -> work.apply(transaction)));
	}

	/** Appends messages in a transaction that is rolled back. */
	final void rollBack(Message... messages) {
		new TransactionTemplate(store().transactionManager()).executeWithoutResult((status) -> {
			append(messages);
			status.setRollbackOnly();
		});
	}

	final Message message(String key) {
		return message(key, Delay.NONE);
	}

	final Message message(String key, Delay delay) {
		this.payloads++;
		return new Message(UUID.randomUUID(), "order.placed", key, new Destination("shop", "orders"), "text/plain",
				("payload " + this.payloads).getBytes(StandardCharsets.UTF_8), Map.of(), delay);
	}

	static List<UUID> ids(List<Message> messages) {
		return messages.stream().map(Message::messageId).toList();
	}

	static List<UUID> messageIds(List<StoredMessage> messages) {
		return messages.stream().map((message) -> message.message().messageId()).toList();
	}

	static List<UUID> messageIds(List<StoredMessage> messages, String key) {
		return messageIds(messages.stream().filter((message) -> message.message().partitionKey().equals(key)).toList());
	}

	static List<String> keys(List<KeySequence> sequences) {
		return sequences.stream().map((sequence) -> sequence.messages().get(0).message().partitionKey()).toList();
	}

	/** The sequence of a key, which is there. */
	static List<StoredMessage> sequence(List<KeySequence> sequences, String key) {
		return sequences.stream()
			.map(KeySequence::messages)
			.filter((messages) -> messages.get(0).message().partitionKey().equals(key))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No sequence of key '%s' in %s".formatted(key, sequences)));
	}

	static FailedMessage dead(StoredMessage message) {
		return FailedMessage.deadLetter(message.id(), "java.io.IOException: refused");
	}

}
