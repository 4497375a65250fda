/*
 * Copyright 2026 the authors of the Ordered Outbox
 * SPDX-License-Identifier: Apache-2.0
 */
package io.orderedoutbox.relay.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.batch.CircuitBreakers.Pause;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Decides which message is the next to be sent.
 * <ol>
 * <li>A message in doubt comes first, alone, and of each destination one before the
 * second of any.</li>
 * <li>Then one that its {@link CircuitBreakers circuit breaker} suspects, alone: so a
 * suspicion is put to the test however long the others take.</li>
 * <li>Then everything else, up to the greatest number in flight. The last tenth of the
 * places is for destinations that have none yet, or for which the broker has answered in
 * this batch; the others get what is left. So a bulk that the broker is silent about does
 * not take the places of all others. To a destination that was silent before only one
 * message leaves until the broker has answered for it.</li>
 * <li>The other suspects come last, each alone.</li>
 * </ol>
 * What is sent alone is put to a test. If the test ends without an answer, the message is
 * set aside: it stays in flight without taking a place, and the next leaves beside it.
 * Otherwise a silent message would keep back all others, in each batch anew. A message in
 * doubt that was set aside and is in doubt again comes after the others in doubt.
 * <p>
 * A message that cannot be sent at all has failed, and one whose destination is paused
 * waits: neither leaves, nor does anything behind it in its sequence.
 */
final class SendQueue {

	// One place in so many is kept for destinations that have none
	private static final int RESERVE = 10;

	private final Deque<SequenceProgress> doubtful = new ArrayDeque<>();

	private final Deque<SequenceProgress> ready = new ArrayDeque<>();

	private final Deque<SequenceProgress> last = new ArrayDeque<>();

	// Destinations that have more than one place: when nothing is ready
	private final Deque<SequenceProgress> crowded = new ArrayDeque<>();

	// Behind a message to the same destination, which was silent
	private final Deque<SequenceProgress> held = new ArrayDeque<>();

	private final Set<Destination> answered = new HashSet<>();

	// Where something was sent for which the broker has not answered
	private final Set<Destination> unanswered = new HashSet<>();

	// In flight, and not answered by the end of their tests
	private final Set<SequenceProgress> aside = new HashSet<>();

	private final int maxInFlight;

	private final int reserve;

	private final CircuitBreakers breakers;

	private final Results results;

	private boolean suspectIsDue = true;

	// What was sent before all others, to put a suspicion to the test
	private @Nullable SequenceProgress firstSuspect;

	// What was sent alone, and is not answered
	private @Nullable SequenceProgress tested;

	SendQueue(Collection<KeySequence> sequences, WorkerSettings settings, CircuitBreakers breakers, Results results) {
		this.maxInFlight = settings.maxInFlight();
		this.reserve = Math.max(1, this.maxInFlight / RESERVE);
		this.breakers = breakers;
		this.results = results;
		for (KeySequence sequence : sequences) {
			SequenceProgress progress = new SequenceProgress(sequence, settings.pipelinedKeys());
			(breakers.isSuspect(progress.message()) ? this.last : this.ready).add(progress);
		}
	}

	/**
	 * The sequence whose message is the next to be sent, or null if none may leave before
	 * something in flight has ended.
	 */
	@Nullable SequenceProgress next(int inFlight) {
		if (this.tested != null) {
			return null;
		}
		boolean alone = isAlone(inFlight);
		if (hasDoubtful()) {
			return alone ? test(this.doubtful.remove()) : null;
		}
		if (this.suspectIsDue) {
			this.suspectIsDue = false;
			this.firstSuspect = firstThatMayLeave(this.last);
			if (this.firstSuspect != null) {
				return test(this.firstSuspect);
			}
		}
		int free = this.maxInFlight - inFlight + this.aside.size();
		while (!this.ready.isEmpty() && free > 0) {
			SequenceProgress progress = this.ready.remove();
			if (mayLeave(progress)) {
				Deque<SequenceProgress> waiting = waiting(progress.message(), free);
				if (waiting == null) {
					return progress;
				}
				waiting.add(progress);
			}
		}
		SequenceProgress next = (free > 0) ? nextCrowded() : null;
		return (next == null && alone) ? test(firstThatMayLeave(this.last)) : next;
	}

	private @Nullable SequenceProgress nextCrowded() {
		SequenceProgress progress = firstThatMayLeave(this.crowded);
		// Another worker may have found out meanwhile
		while (progress != null && this.breakers.isSuspect(progress.message())) {
			this.last.add(progress);
			progress = firstThatMayLeave(this.crowded);
		}
		return progress;
	}

	private boolean isAlone(int inFlight) {
		return inFlight == this.aside.size();
	}

	private @Nullable SequenceProgress test(@Nullable SequenceProgress progress) {
		if (progress != null) {
			progress.goStepByStep();
		}
		this.tested = progress;
		return progress;
	}

	private @Nullable Deque<SequenceProgress> waiting(StoredMessage message, int free) {
		if (this.breakers.isSuspect(message)) {
			return this.last;
		}
		Destination destination = message.message().destination();
		if (this.answered.contains(destination) || this.unanswered.add(destination)) {
			return null;
		}
		if (this.breakers.wasSilent(message)) {
			return this.held;
		}
		return (free <= this.reserve) ? this.crowded : null;
	}

	private @Nullable SequenceProgress firstThatMayLeave(Deque<SequenceProgress> waiting) {
		while (!waiting.isEmpty()) {
			SequenceProgress progress = waiting.remove();
			if (mayLeave(progress)) {
				return progress;
			}
		}
		return null;
	}

	/**
	 * The next of what is in doubt, or null if nothing is or if something is in flight.
	 */
	@Nullable SequenceProgress nextInDoubt(int inFlight) {
		return hasDoubtful() ? next(inFlight) : null;
	}

	boolean hasDoubtful() {
		return !this.doubtful.isEmpty();
	}

	/**
	 * Whether a message in flight is put to a test that ends.
	 */
	boolean isTesting() {
		return this.tested != null;
	}

	/**
	 * Whether it is the suspect that comes before all others.
	 */
	boolean isTestingFirst() {
		return this.tested != null && this.tested == this.firstSuspect;
	}

	/**
	 * The test has ended without an answer.
	 */
	void endTest() {
		if (this.tested != null) {
			this.tested.setAside();
			this.aside.add(this.tested);
			this.tested = null;
		}
	}

	/**
	 * A message of a sequence is in flight no more.
	 * @param byBroker whether the broker has answered for it
	 */
	void settled(SequenceProgress progress, Destination destination, boolean byBroker) {
		this.aside.remove(progress);
		if (this.tested == progress) {
			this.tested = null;
		}
		this.unanswered.remove(destination);
		if (!byBroker || this.answered.add(destination)) {
			release();
		}
	}

	private void release() {
		moveToReady(this.crowded);
		moveToReady(this.held);
	}

	private void moveToReady(Deque<SequenceProgress> waiting) {
		this.ready.addAll(waiting);
		waiting.clear();
	}

	private boolean mayLeave(SequenceProgress progress) {
		StoredMessage message = progress.message();
		if (progress.isEnded()) {
			return false;
		}
		if (message.defect() != null) {
			this.results.defective(message, message.defect());
			progress.end();
			return false;
		}
		Pause pause = this.breakers.pauseOf(message);
		if (pause != null) {
			this.results.postponed(message, pause);
			progress.end();
			return false;
		}
		return true;
	}

	boolean isEmpty() {
		return this.doubtful.isEmpty() && size() == 0;
	}

	/**
	 * How many sequences may go on, as far as is known.
	 */
	int size() {
		return this.ready.size() + this.crowded.size() + this.last.size();
	}

	/**
	 * A sequence has come to its next message.
	 */
	void add(SequenceProgress progress) {
		(progress.isInDoubt() ? this.doubtful : this.ready).add(progress);
	}

	/**
	 * Something is suspect no longer.
	 */
	void reconsider() {
		moveToReady(this.last);
	}

	/**
	 * The channel was closed: nothing is in flight any more.
	 */
	void closed() {
		this.tested = null;
		this.aside.clear();
		this.unanswered.clear();
		release();
	}

	/**
	 * One of these messages is the culprit: each of their sequences begins again with the
	 * first of them.
	 * @param messages in the order of sending
	 */
	void doubt(Collection<InFlight> messages) {
		Map<SequenceProgress, List<InFlight>> bySequence = new LinkedHashMap<>();
		messages.forEach((message) -> bySequence.computeIfAbsent(message.progress(), (progress) -> new ArrayList<>())
			.add(message));
		bySequence.forEach(SequenceProgress::returnTo);
		this.ready.removeAll(bySequence.keySet());
		this.last.removeAll(bySequence.keySet());
		Set<SequenceProgress> all = new LinkedHashSet<>(this.doubtful);
		all.addAll(bySequence.keySet());
		all.removeIf(SequenceProgress::isEnded);
		this.doubtful.clear();
		this.doubtful.addAll(SequenceProgress.inOrderOfTests(all));
	}

	/**
	 * The culprit is found.
	 */
	void doubtNoMore() {
		while (!this.doubtful.isEmpty()) {
			SequenceProgress spared = this.doubtful.removeLast();
			spared.doubtNoMore();
			this.ready.addFirst(spared);
		}
	}

}
