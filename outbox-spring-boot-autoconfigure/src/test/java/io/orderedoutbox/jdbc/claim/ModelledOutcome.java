/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.FailedMessage.Fate;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;

/**
 * What becomes of a sequence when it is sent.
 *
 * @param published what the broker has taken
 * @param failed what has failed
 * @param unanswered what the broker has not answered for; it may have taken it
 */
record ModelledOutcome(List<StoredMessage> published, List<Failure> failed, List<StoredMessage> unanswered) {

	private static final Duration LONG = Duration.ofHours(1);

	private ModelledOutcome() {
		this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
	}

	/**
	 * All of it was published.
	 */
	static ModelledOutcome success(KeySequence sequence) {
		return new ModelledOutcome(sequence.messages(), List.of(), List.of());
	}

	/**
	 * A beginning of it was published, the next may have failed, and the rest was not
	 * sent.
	 */
	static ModelledOutcome strict(KeySequence sequence, Random random) {
		ModelledOutcome outcome = new ModelledOutcome();
		int sent = random.nextInt(sequence.messages().size() + 1);
		outcome.published.addAll(sequence.messages().subList(0, sent));
		if (sent < sequence.messages().size()) {
			outcome.fail(sequence.messages().get(sent), random);
		}
		return outcome;
	}

	/**
	 * All of it was sent, and anything may have become of each.
	 */
	static ModelledOutcome pipelined(KeySequence sequence, Random random) {
		ModelledOutcome outcome = new ModelledOutcome();
		for (StoredMessage message : sequence.messages()) {
			if (random.nextInt(3) > 0) {
				outcome.published.add(message);
			}
			else {
				outcome.fail(message, random);
			}
		}
		return outcome;
	}

	private void fail(StoredMessage message, Random random) {
		if (random.nextInt(3) == 0) {
			this.unanswered.add(message);
			return;
		}
		long id = message.id();
		this.failed.add(new Failure(message, switch (random.nextInt(8)) {
			case 0 -> FailedMessage.blocked(id, "blocked");
			case 1 -> FailedMessage.deadLetter(id, "given up");
			case 2 -> FailedMessage.postponed(id, "postponed", random.nextBoolean() ? LONG : Duration.ZERO);
			case 3, 4 -> FailedMessage.retried(id, "retried", LONG);
			default -> FailedMessage.retried(id, "retried", Duration.ZERO);
		}));
	}

	/**
	 * Let it be known.
	 */
	void applyTo(ModelledKeys keys, boolean archive) {
		this.published.forEach((message) -> keys.published(message.message(), archive));
		boolean parked = false;
		for (Failure failure : this.failed) {
			FailedMessage failed = failure.failed();
			if (failed.fate() != Fate.POSTPONED) {
				keys.attempted(failure.message().message());
			}
			if (failed.fate() == Fate.DEAD_LETTER) {
				keys.buried(failure.message().message());
			}
			else if (!parked) {
				parked = true;
				// One before it that was not answered is tried at once
				boolean blocked = failed.fate() == Fate.BLOCKED
						&& this.unanswered.stream().noneMatch((message) -> message.id() < failed.id());
				keys.failed(keys.key(failure.message().message()), !blocked && failed.delay().isZero());
			}
		}
	}

	/**
	 * A message that has failed.
	 */
	record Failure(StoredMessage message, FailedMessage failed) {

		@Override
		public String toString() {
			return this.message.id() + " " + this.failed.fate() + (this.failed.delay().isZero() ? "" : " for long");
		}

	}

}
