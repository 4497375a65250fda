package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.StoredMessage;
import org.jspecify.annotations.Nullable;

/**
 * Sends the runs of one claim: many keys at a time, of each key one message at a time
 * unless keys are pipelined.
 * <ol>
 * <li>Send the next message of every run that has none in flight, up to the greatest
 * number in flight. Where keys are pipelined, a run goes on at once, after the
 * others.</li>
 * <li>Confirmed: it is published, and its run goes on with the next message.</li>
 * <li>Failed for a reason of its own: its run ends there. Nothing behind it leaves; in a
 * pipelined run some of it may have left.</li>
 * <li>The broker closed the channel because of something sent, or the sender threw
 * anything unexpected: everything in flight is in doubt. It is sent again on a new
 * channel before anything else, one message at a time and of each destination one first.
 * The one in flight when that channel is closed too is the culprit; the others are in
 * doubt no longer. A pipelined run goes back to its first message in doubt, and on from
 * there one message at a time.</li>
 * <li>{@link Suspects} are sent last, each alone. What goes to a destination that is
 * paused is not sent: it waits, without an attempt, and its run ends.</li>
 * <li>The broker was lost, confirms nothing, or refuses a channel on which nothing was
 * sent: stop. What is in flight is unknown, stays, and is sent again in order.</li>
 * <li>A message is silent while one that was sent after it was confirmed, by this worker
 * or another: it has failed.</li>
 * <li>Told to stop, or the claim is lost: send nothing more, and wait for what is in
 * flight.</li>
 * </ol>
 */
final class Dispatch {

	// In small portions messages cost everybody more. As many keys as make it worth while
	// to wait a moment for one another, and how long
	private static final int MANY = 32;

	private static final long GATHERING = Duration.ofMillis(5).toNanos();

	private final Lease lease;

	private final WorkerSettings settings;

	private final Suspects suspects;

	private final BooleanSupplier stopping;

	private final Results results;

	private final Patience patience;

	private final Departures departures;

	// In the order of sending: the first is the oldest
	private final Map<Long, Flight> inFlight = new LinkedHashMap<>();

	private @Nullable TransportException outage;

	Dispatch(Claim claim, WorkerSettings settings, Suspects suspects, BooleanSupplier stopping) {
		this.lease = new Lease(claim, settings.renewInterval());
		this.settings = settings;
		this.suspects = suspects;
		this.stopping = stopping;
		this.results = new Results(settings.retry());
		this.patience = new Patience(settings, suspects);
		this.departures = new Departures(claim.runs(), settings, suspects, this.results);
	}

	/**
	 * Send until every run has ended, or nothing more can be sent.
	 */
	void through(MessageSender sender) {
		boolean again = maySend();
		while (again) {
			again = false;
			try {
				sender.withChannel(this::exchange);
			}
			catch (TransportException ex) {
				this.outage = ex;
			}
			catch (RuntimeException | Error ex) {
				again = findCulprit(ex) && !this.departures.isEmpty() && maySend();
			}
		}
	}

	private void exchange(SendingChannel channel) {
		while (true) {
			sendWhatMayLeave(channel);
			if (this.inFlight.isEmpty()) {
				return;
			}
			Outcome outcome = channel.nextOutcome(this.patience.beforeNextRenewal(oldest()));
			if (outcome != null) {
				settle(outcome, channel);
			}
			else if (this.patience.isOver(oldest())) {
				giveUpWaiting();
				return;
			}
			else {
				this.lease.renew();
			}
		}
	}

	private void sendWhatMayLeave(SendingChannel channel) {
		while (!mustSettleFirst() && maySend()) {
			Cursor next = this.departures.next(this.inFlight.size());
			if (next == null) {
				return;
			}
			send(next, channel);
		}
	}

	// What was handed to the channel may not have left yet. It must not leave after the
	// store was asked and has said that the claim is lost
	private boolean mustSettleFirst() {
		return this.lease.isDue() && !this.inFlight.isEmpty();
	}

	private void send(Cursor next, SendingChannel channel) {
		Flight flight = next.sent();
		StoredMessage message = flight.message();
		this.inFlight.put(message.id(), flight);
		MessageContext.enter(message);
		try {
			channel.send(message);
		}
		catch (ChannelRefusedException | TransportException ex) {
			throw ex;
		}
		catch (RuntimeException | Error ex) {
			this.inFlight.remove(message.id());
			fail(flight, FailureReason.UNSENDABLE, ErrorText.of(ex));
		}
		finally {
			MessageContext.leave();
		}
		if (next.isPipelined() && next.advance()) {
			this.departures.add(next);
		}
	}

	private void fail(Flight flight, @Nullable FailureReason reason, String error) {
		this.results.failed(flight.message(), reason, error);
		flight.cursor().end();
	}

	private boolean maySend() {
		return this.lease.stands() && !this.stopping.getAsBoolean();
	}

	// All that is known or will be in a moment, so that what may leave then leaves
	// together
	private void settle(Outcome first, SendingChannel channel) {
		long gatherUntil = System.nanoTime() + GATHERING;
		Outcome outcome = first;
		while (outcome != null) {
			settle(outcome);
			outcome = this.inFlight.isEmpty() ? null : channel.nextOutcome(gathering(gatherUntil));
		}
	}

	private Duration gathering(long until) {
		boolean worthWhile = this.inFlight.size() >= MANY && this.departures.size() < this.inFlight.size();
		return worthWhile ? Duration.ofNanos(Math.max(0, until - System.nanoTime())) : Duration.ZERO;
	}

	private void settle(Outcome outcome) {
		Flight flight = this.inFlight.remove(outcome.id());
		if (flight == null) {
			return;
		}
		this.patience.answered(flight);
		if (outcome.error() != null) {
			fail(flight, outcome.reason(), outcome.error());
			return;
		}
		if (this.suspects.taken(flight.message())) {
			this.departures.reconsider();
		}
		this.results.published(flight.message(), System.nanoTime());
		if (!flight.cursor().isPipelined() && flight.cursor().advance()) {
			this.departures.add(flight.cursor());
		}
	}

	// Whether there is anybody to blame
	private boolean findCulprit(Throwable refusal) {
		String reason = (refusal instanceof ChannelRefusedException) ? String.valueOf(refusal.getMessage())
				: ErrorText.of(refusal);
		List<Flight> suspected = List.copyOf(this.inFlight.values());
		this.inFlight.clear();
		if (suspected.isEmpty()) {
			this.outage = new TransportException("The sender cannot work: " + reason, refusal);
			return false;
		}
		if (suspected.size() > 1) {
			this.departures.doubt(suspected);
			return true;
		}
		Flight culprit = suspected.get(0);
		this.suspects.refused(culprit.message(), reason);
		fail(culprit, FailureReason.CHANNEL_CLOSED, reason);
		this.departures.doubtNoMore();
		return true;
	}

	private Flight oldest() {
		return this.inFlight.values().iterator().next();
	}

	// A broker that has fallen silent altogether is an outage, whatever it said before
	private void giveUpWaiting() {
		String silence = "no confirm from the broker within " + this.settings.confirmTimeout();
		List<Flight> passedOver = this.inFlight.values().stream().filter(this.patience::isPassedOver).toList();
		if (passedOver.isEmpty()) {
			throw new TransportException(silence, null);
		}
		passedOver.forEach((flight) -> {
			this.suspects.silent(flight.message(), silence);
			fail(flight, FailureReason.UNCONFIRMED, silence);
		});
	}

	Results results() {
		return this.results;
	}

	boolean isClaimLost() {
		return this.lease.isLost();
	}

	@Nullable TransportException outage() {
		return this.outage;
	}

}
