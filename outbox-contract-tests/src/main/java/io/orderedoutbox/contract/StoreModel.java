/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import io.orderedoutbox.contract.StoreUnderTest.Instance;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.Message;
import io.orderedoutbox.store.StoredMessage;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Does what writers and workers do, in an order that is chosen at random, and knows what
 * must be in the outbox after each step.
 * <ol>
 * <li>A writer commits or rolls back some messages of some keys.</li>
 * <li>A worker looks for messages. What it claims must be the beginning of what the model
 * has of each key, and no other worker may have claimed one of these keys.</li>
 * <li>A worker settles a beginning of each of its sequences; what follows has failed,
 * becomes a dead letter, or is left alone. It commits or does not, or its instance
 * dies.</li>
 * <li>At the end all that is left is published, and nothing else.</li>
 * </ol>
 */
final class StoreModel {

	private static final int STEPS = 120;

	private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");

	private final StoreContract contract;

	private final Random random;

	private final long seed;

	// What is to be published of each key, in order
	private final Map<String, List<UUID>> left = new HashMap<>();

	private final List<Peer> workers = new ArrayList<>();

	StoreModel(StoreContract contract, long seed) {
		this.contract = contract;
		this.seed = seed;
		this.random = new Random(seed);
		KEYS.forEach((key) -> this.left.put(key, new ArrayList<>()));
		Instance shared = contract.store().instance();
		this.workers.add(peer(shared));
		this.workers.add(peer(shared));
		this.workers.add(peer(contract.store().instance()));
	}

	private Peer peer(Instance instance) {
		return new Peer(instance, this.contract.worker(instance), new HashSet<>());
	}

	void run() {
		try {
			for (int step = 0; step < STEPS; step++) {
				step();
			}
			this.workers.stream().filter((peer) -> peer.worker.hasClaim()).forEach((peer) -> peer.worker.end());
			this.workers.forEach((peer) -> peer.worker.rest());
			drain();
		}
		catch (AssertionError | RuntimeException ex) {
			throw new AssertionError("Seed %d".formatted(this.seed), ex);
		}
	}

	private void step() {
		Peer peer = this.workers.get(this.random.nextInt(this.workers.size()));
		if (this.random.nextInt(3) == 0) {
			write();
		}
		else if (!peer.worker.hasClaim()) {
			claim(peer);
		}
		else if (this.random.nextInt(8) == 0) {
			lose(peer);
		}
		else {
			settle(peer);
		}
	}

	private void write() {
		Message[] messages = Stream.generate(() -> KEYS.get(this.random.nextInt(KEYS.size())))
			.limit(1 + this.random.nextInt(4))
			.map(this.contract::message)
			.toArray(Message[]::new);
		if (this.random.nextInt(4) == 0) {
			this.contract.rollBack(messages);
			return;
		}
		this.contract.commit(messages);
		for (Message message : messages) {
			left(message.partitionKey()).add(message.messageId());
		}
	}

	private List<UUID> left(String key) {
		return this.left.getOrDefault(key, List.of());
	}

	private void claim(Peer peer) {
		List<KeySequence> sequences = peer.worker.look();
		List<String> keys = StoreContract.keys(sequences);
		assertThat(keys).doesNotHaveDuplicates();
		for (Peer other : this.workers) {
			assertThat(keys).as("keys that nobody else owns").noneMatch(other.owned::contains);
		}
		for (KeySequence sequence : sequences) {
			String key = sequence.messages().get(0).message().partitionKey();
			assertThat(left(key)).as("what is there of key %s", key)
				.startsWith(StoreContract.messageIds(sequence.messages()).toArray(UUID[]::new));
		}
		peer.owned.addAll(keys);
	}

	private void settle(Peer peer) {
		List<Long> published = new ArrayList<>();
		List<FailedMessage> failed = new ArrayList<>();
		Map<String, Integer> gone = new HashMap<>();
		for (KeySequence sequence : peer.worker.claim().sequences()) {
			List<StoredMessage> messages = sequence.messages();
			int sent = this.random.nextInt(messages.size() + 1);
			published.addAll(StoreWorker.ids(messages.subList(0, sent)));
			boolean isLast = sent == messages.size();
			int fate = isLast ? 2 : this.random.nextInt(3);
			if (fate == 0) {
				failed
					.add(FailedMessage.retried(messages.get(sent).id(), "java.io.IOException: refused", Duration.ZERO));
			}
			else if (fate == 1) {
				failed.add(StoreContract.dead(messages.get(sent)));
			}
			gone.put(messages.get(0).message().partitionKey(), sent + ((fate == 1) ? 1 : 0));
		}
		peer.worker.settle(published, failed.toArray(FailedMessage[]::new));
		boolean isCommitted = this.random.nextInt(4) > 0;
		if (isCommitted) {
			peer.worker.commit();
			gone.forEach((key, count) -> left(key).subList(0, count).clear());
		}
		peer.worker.end();
		peer.owned.clear();
		peer.worker.rest();
	}

	// All workers of the instance go with it
	private void lose(Peer peer) {
		if (!peer.instance.die()) {
			return;
		}
		Instance another = this.contract.store().instance();
		for (Peer gone : List.copyOf(this.workers)) {
			if (gone.instance == peer.instance) {
				if (gone.worker.hasClaim()) {
					assertThat(gone.worker.renew()).as("the claim of an instance that has died").isFalse();
				}
				this.workers.set(this.workers.indexOf(gone), peer(another));
			}
		}
	}

	private void drain() {
		Set<String> keys = this.left.keySet();
		int expected = this.left.values().stream().mapToInt(List::size).sum();
		List<StoredMessage> drained = this.workers.get(0).worker.drain(expected);
		assertThat(drained).hasSize(expected);
		for (String key : keys) {
			assertThat(StoreContract.messageIds(drained, key)).as("key %s", key).isEqualTo(left(key));
		}
	}

	/**
	 * A worker, its instance, and the keys that it owns.
	 */
	private record Peer(Instance instance, StoreWorker worker, Set<String> owned) {

	}

}
