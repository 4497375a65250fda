/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.jdbc.claim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

import io.orderedoutbox.jdbc.claim.LossyDataSource.Loss;
import io.orderedoutbox.jdbc.claim.ModelledOutcome.Failure;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.FailedMessage;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * A worker that is driven by hand, and the claim that it has.
 */
final class ModelledWorker {

	private static final String TOO_LONG_FOR_A_COLUMN = "x".repeat(2_000);

	private final ModelledInstance instance;

	private final String name;

	private final ClaimWorker worker;

	private final ModelledKeys keys;

	private @Nullable Claim claim;

	private boolean lost;

	// What was not answered when the claim was suspended
	private @Nullable List<StoredMessage> unanswered;

	ModelledWorker(ModelledInstance instance, String name, ClaimWorker worker, ModelledKeys keys) {
		this.instance = instance;
		this.name = name;
		this.worker = worker;
		this.keys = keys;
	}

	ClaimWorker worker() {
		return this.worker;
	}

	ModelledInstance instance() {
		return this.instance;
	}

	boolean hasClaim() {
		return this.claim != null;
	}

	boolean isLost() {
		return this.lost;
	}

	boolean isSuspended() {
		return this.unanswered != null;
	}

	private Claim currentClaim() {
		return Objects.requireNonNull(this.claim);
	}

	String claim() {
		Claim next = this.worker.next();
		if (next == null) {
			return this.name + " finds nothing";
		}
		String what = this.name + " claims " + next.sequences().stream().map(ModelledWorker::brief).toList();
		try {
			this.keys.claimed(next, this.instance.name());
		}
		catch (AssertionError ex) {
			throw new AssertionError(ex.getMessage() + "\n  " + what, ex);
		}
		this.claim = next;
		return what;
	}

	private static String brief(KeySequence sequence) {
		return sequence.messages()
			.stream()
			.map((message) -> message.id() + "=" + ModelledKeys.brief(message.message().messageId()))
			.toList()
			.toString();
	}

	/**
	 * Give the claim up.
	 */
	String close() {
		currentClaim().close();
		forget();
		return this.name + " gives its claim up";
	}

	private void forget() {
		Claim old = currentClaim();
		if (this.unanswered != null) {
			this.keys.resumed(this.unanswered, this.instance.name());
		}
		else if (!this.lost) {
			this.keys.released(old);
		}
		this.claim = null;
		this.unanswered = null;
		this.lost = false;
	}

	/**
	 * Let the connection be gone.
	 */
	String lose() {
		if (!this.lost && !isSuspended()) {
			this.worker.abort();
			this.lost = true;
			this.keys.released(currentClaim());
		}
		return this.name + " loses its connection";
	}

	/**
	 * Send all of it, and complete.
	 */
	String completeAll() {
		return complete(List.of(currentClaim().sequences().stream().map(ModelledOutcome::success).toList()), null);
	}

	/**
	 * Send some of it, settle that in parts, and commit.
	 * @param loss what is lost of the commit
	 */
	String complete(Function<KeySequence, ModelledOutcome> sending, Random random, @Nullable Loss loss) {
		return complete(parts(sending, random), loss);
	}

	private List<List<ModelledOutcome>> parts(Function<KeySequence, ModelledOutcome> sending, Random random) {
		List<ModelledOutcome> outcomes = new ArrayList<>(currentClaim().sequences().stream().map(sending).toList());
		Collections.shuffle(outcomes, random);
		int cut = (random.nextInt(3) == 0) ? random.nextInt(outcomes.size()) : 0;
		List<List<ModelledOutcome>> parts = List.of(outcomes.subList(0, cut), outcomes.subList(cut, outcomes.size()));
		if (random.nextInt(6) == 0 && !this.lost) {
			settleInVain(outcomes);
		}
		return parts;
	}

	private String complete(List<List<ModelledOutcome>> parts, @Nullable Loss loss) {
		boolean stored = !this.lost && loss != Loss.REQUEST;
		boolean expected = !this.lost && loss == null;
		Claim old = currentClaim();
		try (old) {
			parts.forEach(this::settle);
			old.commit();
			if (!expected) {
				throw new AssertionError(this.name + " has completed a claim that it had lost");
			}
		}
		catch (RuntimeException ex) {
			if (expected) {
				throw ex;
			}
		}
		if (stored) {
			apply(parts);
		}
		forget();
		return this.name + " completes with" + brief(parts) + ((loss != null) ? ", lost: " + loss : "");
	}

	private void apply(List<List<ModelledOutcome>> parts) {
		parts.forEach((part) -> part.forEach((outcome) -> outcome.applyTo(this.keys, this.instance.isArchiving())));
	}

	private void settle(List<ModelledOutcome> part) {
		currentClaim().settle(positions(part), failures(part));
	}

	// One message cannot be stored: it is as if the others had not been tried
	private void settleInVain(List<ModelledOutcome> outcomes) {
		StoredMessage any = currentClaim().sequences().get(0).messages().get(0);
		List<FailedMessage> failed = Stream
			.concat(failures(outcomes).stream().filter((failure) -> failure.id() != any.id()),
					Stream.of(FailedMessage.retried(any.id(), TOO_LONG_FOR_A_COLUMN, Duration.ZERO)))
			.toList();
		try {
			currentClaim().settle(positions(outcomes), failed);
		}
		catch (RuntimeException ex) {
			if (!currentClaim().renew()) {
				throw ex;
			}
			return;
		}
		throw new AssertionError("An error was stored that is too long");
	}

	private static List<Long> positions(List<ModelledOutcome> outcomes) {
		return outcomes.stream().flatMap((outcome) -> outcome.published().stream()).map(StoredMessage::id).toList();
	}

	private static List<FailedMessage> failures(List<ModelledOutcome> outcomes) {
		return outcomes.stream().flatMap((outcome) -> outcome.failed().stream()).map(Failure::failed).toList();
	}

	private static String brief(List<List<ModelledOutcome>> parts) {
		StringBuilder brief = new StringBuilder();
		parts.forEach((part) -> brief.append(" published ")
			.append(positions(part))
			.append(" failed ")
			.append(part.stream().flatMap((outcome) -> outcome.failed().stream()).toList()));
		return brief.toString();
	}

	/**
	 * Send some of it, and let others have the keys while some was not answered.
	 */
	String suspend(Function<KeySequence, ModelledOutcome> sending, Random random) {
		List<List<ModelledOutcome>> parts = parts(sending, random);
		parts.forEach(this::settle);
		currentClaim().suspend();
		apply(parts);
		List<StoredMessage> open = parts.stream()
			.flatMap(List::stream)
			.flatMap((outcome) -> outcome.unanswered().stream())
			.toList();
		this.keys.suspended(currentClaim(), open, this.instance.name());
		this.unanswered = open;
		return this.name + " suspends its claim with" + brief(parts) + " unanswered "
				+ open.stream().map(StoredMessage::id).toList();
	}

	/**
	 * Hear that the broker has taken some of what was not answered. It is removed unless
	 * another instance has the keys.
	 */
	String settleLate(Random random) {
		List<StoredMessage> late = Objects.requireNonNull(this.unanswered)
			.stream()
			.filter((message) -> random.nextInt(3) > 0)
			.toList();
		currentClaim().settleLate(late.stream().map(StoredMessage::id).toList(), List.of());
		List<StoredMessage> removed = late.stream()
			.filter((message) -> this.keys.isLeft(message.message()) && !this.instance.outbox().has(message.message()))
			.toList();
		removed.forEach((message) -> this.keys.published(message.message(), this.instance.isArchiving()));
		currentClaim().close();
		forget();
		return this.name + " hears late of " + late.stream().map(StoredMessage::id).toList() + " and has removed "
				+ removed.stream().map(StoredMessage::id).toList();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
