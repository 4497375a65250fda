package io.orderedoutbox.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.orderedoutbox.Destination;
import io.orderedoutbox.relay.CircuitBreakers.Pause;
import io.orderedoutbox.store.KeySequence;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Decides which message is the next to be sent.
 * <ol>
 * <li>A message in doubt comes first, alone, and of each destination one before the
 * second of any.</li>
 * <li>Then everything else, up to the greatest number in flight. To a destination that
 * was silent only one message leaves until the broker has answered for one: if it is
 * silent again, its messages do not take the places of all others.</li>
 * <li>A message that its {@link CircuitBreakers circuit breaker} suspects comes last, and
 * alone. But one of these is the first of all: so a suspicion is put to the test however
 * long the others take. They leave as soon as it is answered, and if it is not, when the
 * test has ended.</li>
 * </ol>
 * A message that cannot be sent at all has failed, and one whose destination is paused
 * waits: neither leaves, nor does anything behind it in its sequence.
 */
final class SendQueue {

	private final Deque<SequenceProgress> doubtful = new ArrayDeque<>();

	private final Deque<SequenceProgress> ready = new ArrayDeque<>();

	private final Deque<SequenceProgress> last = new ArrayDeque<>();

	// Behind a message to the same destination, which was silent
	private final Deque<SequenceProgress> held = new ArrayDeque<>();

	private final Set<Destination> onTrial = new HashSet<>();

	private final int maxInFlight;

	private final CircuitBreakers breakers;

	private final Results results;

	// Whether what is in flight may be the culprit, and nothing else may leave
	private boolean inDoubt;

	private boolean suspectIsDue = true;

	// Whether a suspect is in flight, and nothing else may leave for a moment
	private boolean testing;

	SendQueue(Collection<KeySequence> sequences, WorkerSettings settings, CircuitBreakers breakers, Results results) {
		this.maxInFlight = settings.maxInFlight();
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
		boolean alone = inFlight == 0;
		if ((this.inDoubt || this.testing) && !alone) {
			return null;
		}
		this.testing = false;
		this.inDoubt = !this.doubtful.isEmpty();
		if (this.inDoubt) {
			return this.doubtful.remove();
		}
		SequenceProgress suspect = this.suspectIsDue ? nextSuspect() : null;
		this.suspectIsDue = false;
		if (suspect != null) {
			this.testing = true;
			return suspect;
		}
		while (!this.ready.isEmpty() && inFlight < this.maxInFlight) {
			SequenceProgress progress = this.ready.remove();
			if (mayLeave(progress)) {
				Deque<SequenceProgress> waiting = waiting(progress.message());
				if (waiting == null) {
					return progress;
				}
				waiting.add(progress);
			}
		}
		return alone ? nextSuspect() : null;
	}

	private @Nullable Deque<SequenceProgress> waiting(StoredMessage message) {
		if (this.breakers.isSuspect(message)) {
			return this.last;
		}
		boolean isHeld = this.breakers.wasSilent(message) && !this.onTrial.add(message.message().destination());
		return isHeld ? this.held : null;
	}

	/**
	 * Whether the message in flight is a suspect that is put to the test.
	 */
	boolean isTesting() {
		return this.testing;
	}

	/**
	 * The broker has not answered for the suspect for a moment: others leave beside it.
	 */
	void endTest() {
		this.testing = false;
	}

	private @Nullable SequenceProgress nextSuspect() {
		while (!this.last.isEmpty()) {
			SequenceProgress progress = this.last.remove();
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
		return (hasDoubtful() && inFlight == 0) ? next(inFlight) : null;
	}

	boolean hasDoubtful() {
		return !this.doubtful.isEmpty();
	}

	private boolean mayLeave(SequenceProgress progress) {
		StoredMessage message = progress.message();
		if (progress.isEnded()) {
			return false;
		}
		if (message.defect() != null) {
			this.results.failed(message, FailureReason.UNSENDABLE, message.defect());
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
		return this.doubtful.isEmpty() && this.ready.isEmpty() && this.last.isEmpty();
	}

	/**
	 * How many sequences may go on, as far as is known.
	 */
	int size() {
		return this.ready.size() + this.last.size();
	}

	/**
	 * A sequence has come to its next message.
	 */
	void add(SequenceProgress progress) {
		(progress.isInDoubt() ? this.doubtful : this.ready).add(progress);
	}

	/**
	 * A destination, and its exchange, are suspect no longer.
	 */
	void reconsider(Destination destination) {
		this.onTrial.remove(destination);
		this.ready.addAll(this.last);
		this.ready.addAll(this.held);
		this.last.clear();
		this.held.clear();
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
		this.held.removeAll(bySequence.keySet());
		bySequence.keySet().removeIf(SequenceProgress::isEnded);
		this.doubtful.addAll(SequenceProgress.eachDestinationFirst(bySequence.keySet()));
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
