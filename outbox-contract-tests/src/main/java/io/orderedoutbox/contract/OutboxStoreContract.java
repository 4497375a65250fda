/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.orderedoutbox.Destination;
import io.orderedoutbox.store.Delay;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.OutboxStore;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the outbox expects of an {@link OutboxStore}: messages are there if and only if
 * their transaction has committed, whole, and in the order of the commits of their key.
 * What is there is seen through the relay store that belongs to it.
 * <p>
 * A test class of the author extends it, and makes the store. Not tested are durability,
 * what a store does without a transaction, and {@link OutboxStore#mark()}.
 */
public abstract class OutboxStoreContract extends StoreContract {

	private static final int WRITERS = 4;

	private static final int TRANSACTIONS = 20;

	/**
	 * Create a contract.
	 */
	protected OutboxStoreContract() {
	}

	@Test
	void aMessageIsHandedOutWithAllThatItCarries() {
		byte[] payload = new byte[70_000];
		for (int index = 0; index < payload.length; index++) {
			payload[index] = (byte) index;
		}
		Message message = new Message(UUID.randomUUID(), "order.placed", "Käy 'ß' \"\\ 鍵 ", new Destination("", "q'ü"),
				"application/json", payload,
				Map.of("text", "ä 'quoted' \"twice\"", "yes", true, "number", 5_000_000_000L, "half", 0.5));
		commit(message);
		StoredMessage stored = worker().drain(1).get(0);
		assertThat(stored.message()).usingRecursiveComparison().isEqualTo(message);
		assertThat(stored.attempts()).isZero();
		assertThat(stored.defect()).isNull();
		assertThat(stored.availableAt()).isEqualTo(stored.createdAt());
	}

	@Test
	void keysAreTheSameOnlyIfAllTheirCharactersAre() {
		List<Message> messages = commit("key", "Key", "key ", " key", "kéy", "ke\u0301y");
		StoreWorker worker = worker();
		List<StoredMessage> drained = worker.drain(messages.size());
		assertThat(drained).extracting((message) -> message.message().partitionKey())
			.containsExactlyInAnyOrder("key", "Key", "key ", " key", "kéy", "ke\u0301y");
	}

	@Test
	void messagesOfATransactionStayInTheOrderInWhichTheyWereAppended() {
		Message[] messages = IntStream.range(0, 60)
			.mapToObj((index) -> message("key-" + index % 3))
			.toArray(Message[]::new);
		commit(messages);
		List<StoredMessage> drained = worker().drain(60);
		for (String key : List.of("key-0", "key-1", "key-2")) {
			assertThat(messageIds(drained, key)).isEqualTo(
					ids(List.of(messages).stream().filter((message) -> message.partitionKey().equals(key)).toList()));
		}
	}

	@Test
	void whatATransactionAppendsInSeveralCallsStaysInOrder() {
		List<Message> messages = List.of(message("key"), message("key"), message("key"));
		inTransaction((transaction) -> messages.stream().map(this::append).toList());
		assertThat(messageIds(worker().drain(3))).isEqualTo(ids(messages));
	}

	@Test
	void whatIsRolledBackIsNeverHandedOut() {
		commit("key");
		rollBack(message("key"), message("other"), message(""));
		commit("key", "other");
		assertThat(worker().drain(3)).hasSize(3);
	}

	@Test
	void nothingIsHandedOutBeforeItsTransactionHasCommitted() {
		StoreWorker worker = worker();
		inTransaction((transaction) -> {
			append(message("key"), message(""));
			assertThat(worker.look()).isEmpty();
			return true;
		});
		assertThat(worker.drain(2)).hasSize(2);
	}

	@Test
	void aTransactionInsideAnotherOneHasMessagesOfItsOwn() {
		Message inner = message("inner");
		try {
			inTransaction((outer) -> {
				// Not the other way round: the inner one may wait for what the outer one
				// has
				// locked
				inTransaction((transaction) -> append(inner));
				append(message("outer"));
				throw new IllegalStateException("roll the outer one back");
			});
		}
		catch (IllegalStateException ex) {
			assertThat(ex).hasMessage("roll the outer one back");
		}
		assertThat(messageIds(worker().drain(1))).containsExactly(inner.messageId());
	}

	@Test
	void theOrderOfAKeyIsThatOfTheCommitsNotOfTheCalls() throws Exception {
		Message first = message("key");
		Message second = message("key");
		List<UUID> committed = new ArrayList<>();
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			Future<?> laterCall = inTransaction((transaction) -> {
				append(first);
				Future<?> later = other.submit(() -> commit(second));
				// It waits for this one, or it is the first to commit
				if (isDoneSoon(later)) {
					committed.add(second.messageId());
				}
				return later;
			});
			committed.add(first.messageId());
			laterCall.get(60, TimeUnit.SECONDS);
		}
		finally {
			other.shutdownNow();
		}
		if (committed.size() == 1) {
			committed.add(second.messageId());
		}
		assertThat(messageIds(worker().drain(2))).isEqualTo(committed);
	}

	private static boolean isDoneSoon(Future<?> work) {
		try {
			work.get(300, TimeUnit.MILLISECONDS);
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void nothingAppearsInAKeyBelowAPositionThatARelayHasSeen() throws Exception {
		List<Callable<Boolean>> writers = IntStream.range(0, WRITERS).mapToObj(this::writer).toList();
		ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
		List<StoredMessage> seen = new ArrayList<>();
		StoreWorker worker = worker();
		try {
			CountDownLatch running = new CountDownLatch(WRITERS);
			List<Future<Boolean>> written = writers.stream().map((writer) -> threads.submit(() -> {
				try {
					return writer.call();
				}
				finally {
					running.countDown();
				}
			})).toList();
			while (running.getCount() > 0) {
				List<StoredMessage> messages = StoreWorker.messages(worker.look());
				if (worker.hasClaim()) {
					worker.complete(StoreWorker.ids(messages));
					seen.addAll(messages);
				}
			}
			for (Future<Boolean> writer : written) {
				writer.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			threads.shutdownNow();
		}
		int all = WRITERS * TRANSACTIONS * 2;
		seen.addAll(worker.drain(all - seen.size()));
		assertThat(seen).extracting((message) -> message.message().messageId()).doesNotHaveDuplicates().hasSize(all);
		Map<String, List<Long>> positions = new HashMap<>();
		Map<String, List<String>> ofWriters = new HashMap<>();
		for (StoredMessage message : seen) {
			String key = message.message().partitionKey();
			positions.computeIfAbsent(key, (absent) -> new ArrayList<>()).add(message.id());
			String[] name = message.message().name().split(":", 2);
			ofWriters.computeIfAbsent(name[0] + " in " + key, (absent) -> new ArrayList<>()).add(name[1]);
		}
		assertThat(positions.values()).allSatisfy((inOrder) -> assertThat(inOrder).isSorted());
		assertThat(ofWriters.values()).allSatisfy((inOrder) -> assertThat(inOrder).isSorted());
	}

	// The second of the two keys is another one each time
	private Callable<Boolean> writer(int number) {
		return () -> {
			for (int count = 0; count < TRANSACTIONS; count++) {
				String name = "writer-%d:%04d".formatted(number, count);
				List<Message> messages = List.of(named(name, "shared"), named(name, "key-" + (number + count) % 3));
				inTransaction((transaction) -> store().outboxStore().append(messages));
			}
			return true;
		};
	}

	private static Message named(String name, String key) {
		return new Message(UUID.randomUUID(), name, key, new Destination("shop", "orders"), "text/plain", new byte[1],
				Map.of());
	}

	@Test
	void messagesWithoutAKeyAreBoundToNoOrder() {
		commit("", "", "");
		StoreWorker worker = worker();
		List<KeySequence> sequences = worker.awaitClaim();
		assertThat(sequences).allSatisfy((sequence) -> assertThat(sequence.messages()).hasSize(1));
		worker.complete(StoreWorker.ids(StoreWorker.messages(sequences)));
		assertThat(worker.drain(3 - sequences.size())).hasSize(3 - sequences.size());
	}

	@Test
	void theRelayFindsMessagesWhenItIsToldOfThem() {
		StoreUnderTest.Instance instance = store().instance();
		StoreWorker worker = worker(instance);
		worker.drain(0);
		Message message = message("key");
		instance.relayStore().committed(commit(message));
		List<KeySequence> found = worker.next();
		if (found.isEmpty()) {
			// A store may ignore what it is told, and finds the message by itself
			found = worker.awaitClaim();
		}
		assertThat(messageIds(StoreWorker.messages(found))).containsExactly(message.messageId());
	}

	@Test
	void aDelayedMessageIsNotHandedOutBeforeItsTimeAndNeitherIsWhatFollowsInItsKey() {
		Duration delay = Duration.ofSeconds(3);
		Message delayed = message("key", Delay.of(delay));
		StoreWorker worker = worker();
		long begin = System.nanoTime();
		commit(delayed);
		List<Message> others = commit("key", "other");
		assertThat(messageIds(worker.drain(1))).containsExactly(others.get(1).messageId());
		List<StoredMessage> drained = worker.drain(2);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(delay);
		assertThat(messageIds(drained)).containsExactly(delayed.messageId(), others.get(0).messageId());
		assertThat(drained.get(0).message().delay()).isEqualTo(Delay.NONE);
		assertThat(Duration.between(drained.get(0).createdAt(), drained.get(0).availableAt())).isEqualTo(delay);
	}

}
