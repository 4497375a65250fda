package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Run;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sends the runs of one claim: many keys at a time, of each key one message at a time.
 * <ol>
 * <li>Send the next message of every run that has none in flight, up to the greatest
 * number in flight.</li>
 * <li>Confirmed: it is published, and its run goes on with the next message.</li>
 * <li>Failed for a reason of its own: its run ends there. Nothing behind it leaves.</li>
 * <li>The broker closed the channel because of something sent: everything in flight goes
 * back to its run, and from now on one message at a time is sent on a new channel. The
 * one in flight when that channel is closed too is the culprit.</li>
 * <li>The broker was lost, or confirms nothing: stop. What is in flight is unknown,
 * stays, and is sent again in order.</li>
 * <li>A message is silent while one that was sent after it was confirmed: it has
 * failed.</li>
 * <li>Told to stop, or the claim is lost: send nothing more, and wait for what is in
 * flight.</li>
 * </ol>
 */
final class Dispatch {

	private final Claim claim;

	private final WorkerSettings settings;

	private final BooleanSupplier stopping;

	private final Deque<Cursor> ready = new ArrayDeque<>();

	// In the order of sending: the first is the oldest
	private final Map<Long, Cursor> inFlight = new LinkedHashMap<>();

	private final List<Long> published = new ArrayList<>();

	private final Map<StoredMessage, String> failed = new HashMap<>();

	private @Nullable TransportException outage;

	// When the latest of the messages that the broker has answered for was sent
	private @Nullable Long answeredUpTo;

	private boolean claimLost;

	private boolean oneAtATime;

	private long renewedAt = System.nanoTime();

	Dispatch(Claim claim, WorkerSettings settings, BooleanSupplier stopping) {
		this.claim = claim;
		this.settings = settings;
		this.stopping = stopping;
		claim.runs().forEach((run) -> this.ready.add(new Cursor(run)));
	}

	/**
	 * Send until every run has ended, or nothing more can be sent.
	 */
	void through(MessageSender sender) {
		boolean refused;
		do {
			refused = false;
			try {
				sender.withChannel(this::exchange);
			}
			catch (ChannelRefusedException ex) {
				refused = true;
				findCulprit(ex);
			}
			catch (TransportException ex) {
				this.outage = ex;
			}
		}
		while (refused && !this.ready.isEmpty() && maySend());
	}

	private void exchange(SendingChannel channel) {
		while (true) {
			sendReady(channel);
			if (this.inFlight.isEmpty()) {
				return;
			}
			Duration patience = patience();
			Outcome outcome = channel.nextOutcome(patience.isNegative() ? Duration.ZERO : patience);
			if (outcome != null) {
				settle(outcome);
			}
			else if (patience().isNegative()) {
				giveUpWaiting();
				return;
			}
			else {
				renew();
			}
		}
	}

	private void sendReady(SendingChannel channel) {
		int limit = this.oneAtATime ? 1 : this.settings.maxInFlight();
		while (!this.ready.isEmpty() && this.inFlight.size() < limit && maySend()) {
			Cursor cursor = this.ready.remove();
			StoredMessage message = cursor.message();
			if (message.defect() != null) {
				this.failed.put(message, message.defect());
				continue;
			}
			cursor.sentAt = System.nanoTime();
			this.inFlight.put(message.id(), cursor);
			channel.send(message);
		}
	}

	private boolean maySend() {
		if (!this.claimLost && System.nanoTime() - this.renewedAt > this.settings.renewInterval().toNanos()) {
			renew();
		}
		return !this.claimLost && !this.stopping.getAsBoolean();
	}

	private void renew() {
		this.claimLost = this.claimLost || !this.claim.renew();
		this.renewedAt = System.nanoTime();
	}

	private void settle(Outcome outcome) {
		Cursor cursor = this.inFlight.remove(outcome.id());
		if (cursor == null) {
			return;
		}
		if (this.answeredUpTo == null || cursor.sentAt - this.answeredUpTo > 0) {
			this.answeredUpTo = cursor.sentAt;
		}
		if (outcome.error() != null) {
			this.failed.put(cursor.message(), outcome.error());
			return;
		}
		this.published.add(outcome.id());
		if (cursor.advance()) {
			this.ready.add(cursor);
		}
	}

	private void findCulprit(ChannelRefusedException ex) {
		String reason = String.valueOf(ex.getMessage());
		if (this.inFlight.size() == 1) {
			this.failed.put(this.inFlight.values().iterator().next().message(), reason);
		}
		else {
			List<Cursor> suspects = new ArrayList<>(this.inFlight.values());
			for (int i = suspects.size() - 1; i >= 0; i--) {
				this.ready.addFirst(suspects.get(i));
			}
		}
		this.inFlight.clear();
		this.oneAtATime = true;
	}

	// How much longer the oldest message in flight may take; a claim must be renewed on
	// the way
	private Duration patience() {
		long age = System.nanoTime() - this.inFlight.values().iterator().next().sentAt;
		Duration left = this.settings.confirmTimeout().minusNanos(age);
		return (left.compareTo(this.settings.renewInterval()) < 0) ? left : this.settings.renewInterval();
	}

	// A broker that has fallen silent altogether is an outage, whatever it said before
	private void giveUpWaiting() {
		String silence = "no confirm from the broker within " + this.settings.confirmTimeout();
		List<Cursor> passedOver = this.inFlight.values().stream().filter(this::isPassedOver).toList();
		if (passedOver.isEmpty()) {
			throw new TransportException(silence, null);
		}
		passedOver.forEach((cursor) -> this.failed.put(cursor.message(), silence));
	}

	private boolean isPassedOver(Cursor cursor) {
		boolean overdue = System.nanoTime() - cursor.sentAt >= this.settings.confirmTimeout().toNanos();
		return overdue && this.answeredUpTo != null && cursor.sentAt - this.answeredUpTo < 0;
	}

	List<Long> published() {
		return this.published;
	}

	Map<StoredMessage, String> failed() {
		return this.failed;
	}

	boolean isClaimLost() {
		return this.claimLost;
	}

	@Nullable TransportException outage() {
		return this.outage;
	}

	/**
	 * Where a run has got to.
	 */
	private static final class Cursor {

		private final Run run;

		private int position;

		private long sentAt;

		Cursor(Run run) {
			this.run = run;
		}

		StoredMessage message() {
			return this.run.messages().get(this.position);
		}

		boolean advance() {
			this.position++;
			return this.position < this.run.messages().size();
		}

	}

}
