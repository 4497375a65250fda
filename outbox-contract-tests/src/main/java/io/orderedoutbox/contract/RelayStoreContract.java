/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import io.orderedoutbox.contract.StoreUnderTest.Instance;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.RelayStore;
import io.orderedoutbox.store.StoreTime;
import io.orderedoutbox.store.StoredMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * What the relay expects of a {@link RelayStore}: one owner for each partition key, what
 * is claimed is the beginning of what there is of a key, and what an owner has not
 * committed has not happened.
 * <p>
 * A test class of the author extends it, and makes the store. Not tested are durability,
 * how soon messages are found, and what is handed to a worker that stops asking whether
 * its claim still stands.
 */
public abstract class RelayStoreContract extends StoreContract {

	private static final String ERROR = "java.io.IOException: refused";

	// Longer than a slow machine takes for what comes before
	private static final Duration SHORT = Duration.ofSeconds(3);

	private static final Duration LONG = Duration.ofHours(1);

	/**
	 * Create a contract.
	 */
	protected RelayStoreContract() {
	}

	@Test
	void nothingIsClaimedWhereNothingIs() {
		StoreWorker worker = worker();
		assertThat(worker.look()).isEmpty();
		assertThat(worker.hasClaim()).isFalse();
		assertThat(worker.rest()).isGreaterThanOrEqualTo(Duration.ZERO);
		assertThat(worker.look()).isEmpty();
	}

	@Test
	void whatIsClaimedIsTheBeginningOfEachKeyWithoutAGap() {
		List<Message> messages = new ArrayList<>();
		IntStream.range(0, 4).forEach((round) -> messages.addAll(commit("a", "b", "c")));
		List<KeySequence> sequences = worker().awaitClaim();
		assertThat(keys(sequences)).doesNotHaveDuplicates().isNotEmpty();
		for (KeySequence sequence : sequences) {
			String key = sequence.messages().get(0).message().partitionKey();
			assertThat(ids(messages.stream().filter((message) -> message.partitionKey().equals(key)).toList()))
				.startsWith(messageIds(sequence.messages()).toArray(UUID[]::new));
			assertThat(sequence.messages()).extracting(StoredMessage::id).isSorted().doesNotHaveDuplicates();
		}
	}

	@Test
	void whatWasPublishedIsGoneAfterTheCommitAndTheKeyGoesOnBehindIt() {
		List<Message> messages = commit("key", "key", "key");
		StoreWorker worker = worker();
		worker.complete(List.of(worker.awaitClaim().get(0).messages().get(0).id()));
		assertThat(messageIds(worker().drain(2))).isEqualTo(ids(messages.subList(1, 3)));
	}

	@Test
	void severalCallsSettleDifferentMessagesOfAClaim() {
		List<Message> messages = commit("key", "other");
		StoreWorker worker = worker();
		List<KeySequence> sequences = worker.awaitClaim();
		StoredMessage first = sequences.get(0).messages().get(0);
		worker.settle(List.of(first.id()));
		for (KeySequence other : sequences.subList(1, sequences.size())) {
			worker.settle(StoreWorker.ids(other.messages()));
		}
		worker.commit();
		worker.end();
		assertThat(worker().drain(messages.size() - sequences.size())).hasSize(messages.size() - sequences.size());
	}

	@Test
	void aClaimThatIsClosedWithoutACommitHasChangedNothing() {
		List<Message> messages = commit("key", "key");
		StoreWorker worker = worker();
		List<StoredMessage> claimed = worker.awaitClaim().get(0).messages();
		worker.settle(List.of(claimed.get(0).id()));
		worker.end();
		List<StoredMessage> again = worker().drain(2);
		assertThat(messageIds(again)).isEqualTo(ids(messages));
		assertThat(again).extracting(StoredMessage::attempts).containsOnly(0);
	}

	@Test
	void aFailureThatIsNotCommittedSpendsNoAttempt() {
		commit("key");
		StoreWorker worker = worker();
		worker.settle(List.of(), FailedMessage.retried(worker.awaitClaim().get(0).messages().get(0).id(), ERROR, LONG));
		worker.end();
		assertThat(worker().drain(1)).extracting(StoredMessage::attempts).containsExactly(0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aKeyHasOneOwner(boolean ofOneInstance) {
		Instance instance = store().instance();
		StoreWorker owner = worker(instance);
		StoreWorker other = ofOneInstance ? worker(instance) : worker();
		List<Message> messages = commit("key", "key");
		List<StoredMessage> claimed = owner.awaitClaim().get(0).messages();
		commit("key");
		for (int look = 0; look < 5; look++) {
			assertThat(keys(other.look())).doesNotContain("key");
			if (other.hasClaim()) {
				other.end();
			}
		}
		assertThat(owner.renew()).isTrue();
		owner.complete(List.of(claimed.get(0).id()));
		owner.rest();
		List<StoredMessage> left = other.drain(2);
		assertThat(messageIds(left)).hasSize(2).startsWith(messages.get(1).messageId());
	}

	@Test
	void aMessageThatHasFailedHoldsItsKeyUntilItsTimeAndNoOther() {
		List<Message> messages = commit("key", "key", "other");
		StoreWorker worker = worker();
		long begin = failHead(worker, "key", FailedMessage.retried(0, ERROR, SHORT));
		commit("key", "other");
		List<StoredMessage> others = new ArrayList<>(worker.drain(2));
		assertThat(others).extracting((message) -> message.message().partitionKey()).containsOnly("other");
		List<StoredMessage> again = worker.drain(3);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(SHORT);
		assertThat(messageIds(again)).startsWith(messages.get(0).messageId(), messages.get(1).messageId()).hasSize(3);
		assertThat(again).extracting(StoredMessage::attempts).containsExactly(1, 0, 0);
	}

	@Test
	void aMessageThatWasPutOffWaitsAndSpendsNoAttempt() {
		commit("key");
		StoreWorker worker = worker();
		long begin = failHead(worker, "key", FailedMessage.postponed(0, ERROR, SHORT));
		assertThat(worker.look()).isEmpty();
		List<StoredMessage> again = worker.drain(1);
		assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(SHORT);
		assertThat(again).extracting(StoredMessage::attempts).containsExactly(0);
	}

	@Test
	void attemptsAreCounted() {
		commit("key");
		StoreWorker worker = worker();
		for (int attempt = 0; attempt < 3; attempt++) {
			StoredMessage head = worker.awaitClaim().get(0).messages().get(0);
			assertThat(head.attempts()).isEqualTo(attempt);
			worker.complete(List.of(), FailedMessage.retried(head.id(), ERROR, Duration.ZERO));
		}
	}

	@Test
	void aBlockedMessageHoldsItsKeyAndNoOther() {
		commit("key", "key", "other");
		StoreWorker worker = worker();
		failHead(worker, "key", FailedMessage.blocked(0, ERROR));
		commit("key", "other");
		assertThat(worker.drain(2)).extracting((message) -> message.message().partitionKey())
			.containsExactly("other", "other");
	}

	@Test
	void aDeadLetterLeavesItsKeyToThoseBehindIt() {
		List<Message> messages = commit("key", "key", "key");
		StoreWorker worker = worker();
		failHead(worker, "key", FailedMessage.deadLetter(0, ERROR));
		assertThat(messageIds(worker.drain(2))).isEqualTo(ids(messages.subList(1, 3)));
	}

	@Test
	void aMessageWithoutAKeyHoldsNoOther() {
		commit("", "", "");
		StoreWorker worker = worker();
		List<KeySequence> sequences = worker.awaitClaim();
		StoredMessage failed = sequences.get(0).messages().get(0);
		worker.complete(List.of(), FailedMessage.retried(failed.id(), ERROR, LONG));
		assertThat(messageIds(worker.drain(2))).hasSize(2).doesNotContain(failed.message().messageId());
	}

	@Test
	void whatWasPublishedBeforeAFailureIsNotRepeated() {
		List<Message> messages = commit("key", "key", "key");
		StoreWorker worker = worker();
		List<StoredMessage> claimed = worker.awaitClaim().get(0).messages();
		assumeThat(claimed).as("a store may hand out the messages of a key one by one").hasSizeGreaterThan(1);
		worker.complete(List.of(claimed.get(0).id()), FailedMessage.retried(claimed.get(1).id(), ERROR, Duration.ZERO));
		assertThat(messageIds(worker.drain(2))).isEqualTo(ids(messages.subList(1, 3)));
	}

	// Fails the head of a key, publishes nothing, and returns when that began
	private long failHead(StoreWorker worker, String key, FailedMessage failure) {
		while (true) {
			// The time of a store may be that of the claim
			long begin = System.nanoTime();
			List<KeySequence> sequences = worker.awaitClaim();
			if (keys(sequences).contains(key)) {
				worker.complete(List.of(), new FailedMessage(sequence(sequences, key).get(0).id(), failure.error(),
						failure.fate(), failure.delay()));
				return begin;
			}
			worker.complete(List.of());
		}
	}

	@Test
	void anOwnerThatHasDiedHasChangedNothingAndOthersGoOn() {
		Instance instance = store().instance();
		StoreWorker lost = worker(instance);
		List<Message> messages = commit("key", "key");
		lost.settle(List.of(lost.awaitClaim().get(0).messages().get(0).id()));
		assumeThat(instance.die()).as("whether an instance can die").isTrue();
		List<StoredMessage> again = worker().drain(2);
		assertThat(messageIds(again)).isEqualTo(ids(messages));
		assertThat(lost.renew()).isFalse();
		assertThatThrownBy(lost::commit).isInstanceOf(RuntimeException.class);
	}

	@Test
	void aClaimThatIsLostSettlesNothing() {
		Instance instance = store().instance();
		StoreWorker lost = worker(instance);
		List<Message> messages = commit("key");
		long position = lost.awaitClaim().get(0).messages().get(0).id();
		assumeThat(instance.die()).as("whether an instance can die").isTrue();
		assertThatThrownBy(() -> lost.complete(List.of(position))).isInstanceOf(DataAccessException.class);
		assertThat(messageIds(worker().drain(1))).isEqualTo(ids(messages));
	}

	@Test
	void aSuspendedClaimKeepsWhatItHasSettled() {
		List<Message> messages = commit("key", "key");
		StoreWorker worker = worker();
		worker.settle(List.of(worker.awaitClaim().get(0).messages().get(0).id()));
		worker.suspend();
		worker.end();
		assertThat(messageIds(worker().drain(1))).containsExactly(messages.get(1).messageId());
	}

	@Test
	void whatIsSettledLateIsGoneOrComesAgainInOrder() {
		List<Message> messages = commit("key", "key");
		StoreWorker worker = worker();
		List<StoredMessage> claimed = worker.awaitClaim().get(0).messages();
		worker.suspend();
		worker.settleLate(List.of(claimed.get(0).id()));
		worker.end();
		List<StoredMessage> left = worker().drain(1);
		assertThat(ids(messages)).endsWith(messageIds(left).toArray(UUID[]::new));
	}

	@Test
	void aRehearsalChangesNothing() {
		List<Message> messages = commit("key", "key");
		StoreWorker worker = worker();
		List<StoredMessage> claimed = worker.awaitClaim().get(0).messages();
		worker.rehearse(StoreWorker.ids(claimed));
		assertThat(worker.renew()).isTrue();
		worker.end();
		assertThat(messageIds(worker().drain(2))).isEqualTo(ids(messages));
	}

	@Test
	void theTimeOfTheStoreIsNotBeforeThatOfItsMessages() {
		commit("key");
		StoreWorker worker = worker();
		StoredMessage claimed = worker.awaitClaim().get(0).messages().get(0);
		StoreTime time = worker.claim().time();
		assumeThat(time).as("the time, which a store need not know").isNotNull();
		assertThat(Objects.requireNonNull(time).time()).isAfterOrEqualTo(claimed.createdAt());
	}

	@Test
	void workersOfSeveralInstancesPublishEachMessageOnceAndInOrder() {
		List<Message> messages = new ArrayList<>();
		for (int round = 0; round < 20; round++) {
			messages.addAll(commit(IntStream.range(0, 20).mapToObj((key) -> "key-" + key).toArray(String[]::new)));
		}
		Instance instance = store().instance();
		List<StoreWorker> workers = List.of(worker(instance), worker(instance), worker());
		List<StoredMessage> published = new ArrayList<>();
		Set<String> owned = new HashSet<>();
		while (published.size() < messages.size()) {
			for (StoreWorker worker : workers) {
				List<String> keys = keys(worker.look());
				assertThat(keys).as("keys that nobody else owns").noneMatch(owned::contains);
				owned.addAll(keys);
			}
			for (StoreWorker worker : workers) {
				if (worker.hasClaim()) {
					List<StoredMessage> claimed = StoreWorker.messages(worker.claim().sequences());
					worker.complete(StoreWorker.ids(claimed));
					published.addAll(claimed);
				}
			}
			workers.forEach(StoreWorker::rest);
			owned.clear();
		}
		for (int key = 0; key < 20; key++) {
			String name = "key-" + key;
			assertThat(messageIds(published, name))
				.isEqualTo(ids(messages.stream().filter((message) -> message.partitionKey().equals(name)).toList()));
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4 })
	void stepsAtRandomLeadToWhatAModelSays(long seed) {
		new StoreModel(this, seed).run();
	}

}
