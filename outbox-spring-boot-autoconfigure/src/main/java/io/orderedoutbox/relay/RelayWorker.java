package io.orderedoutbox.relay;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.orderedoutbox.relay.RelayStatus.Worker;
import io.orderedoutbox.relay.RelayStatus.WorkerState;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One thread of the relay: claim, send, complete, and wait when there is nothing to do.
 * <p>
 * An outage of broker or store is waited out, longer each time; it costs no message an
 * attempt. Anything unexpected is logged and treated like an outage: a worker never ends
 * before it is told to.
 */
final class RelayWorker implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(RelayWorker.class);

	private final Claims claims;

	private final MessageSender sender;

	private final WorkerSettings settings;

	private final Situation situation;

	private final WorkerActivity activity;

	private final Preparation preparation = new Preparation();

	private int outages;

	// Not null while it has nothing in its hands
	private @Nullable Thread interruptible;

	RelayWorker(int number, Claims claims, MessageSender sender, WorkerSettings settings, Situation situation) {
		this.claims = claims;
		this.sender = sender;
		this.settings = settings;
		this.situation = situation;
		this.activity = new WorkerActivity(number);
	}

	@Override
	public void run() {
		try {
			this.activity.has(WorkerState.IDLE);
			while (!this.situation.isStopping()) {
				waitWhilePaused();
				if (!this.situation.isStopping() && !relay() && !this.situation.isStopping()) {
					rest();
				}
			}
		}
		catch (InterruptedException ex) {
			logger.debug("A relay worker was interrupted and ends");
		}
		finally {
			this.claims.end();
			this.activity.has(WorkerState.STOPPED);
		}
	}

	// Whether there is more to do at once
	private boolean relay() throws InterruptedException {
		OutageLog outages = this.situation.outages();
		long begunAt = outages.begin();
		try {
			boolean recovering = this.outages > 0;
			if (recovering) {
				requireBroker();
			}
			Progress progress = relayBatch();
			boolean proven = progress.published() || (recovering && !this.situation.isStopping());
			if (proven && outages.works(begunAt, progress.published())) {
				this.outages = 0;
			}
			return progress.more();
		}
		catch (TransportException | DataAccessException | TransactionException ex) {
			if (!this.situation.isStopping()) {
				outages.lost(ex, begunAt);
			}
		}
		catch (RuntimeException | Error ex) {
			outages.failed(ex, begunAt);
		}
		finally {
			outages.end();
		}
		waitOut();
		return true;
	}

	// While the broker is away nothing is claimed: a claim takes a connection from the
	// pool
	private void requireBroker() {
		this.claims.rest();
		withNothingInHand(() -> {
			this.sender.withChannel((channel) -> {
			});
			return null;
		});
	}

	private Progress relayBatch() {
		long beganAt = System.nanoTime();
		try (Claim claim = withNothingInHand(this::nextClaim)) {
			if (claim == null) {
				this.situation.listener().nothingFound();
				return new Progress(false, false);
			}
			if (claim.moreIsWaiting()) {
				this.situation.signal().wake();
			}
			Dispatch dispatch = new Dispatch(claim, this.settings, this.situation.suspects(),
					this.situation::isStopping);
			this.activity.hasTaken(claim.runs().size());
			new BatchRun(claim, beganAt, this.preparation).relay(this.activity.number(), dispatch, this.sender,
					this::ended);
			TransportException outage = dispatch.outage();
			if (outage != null) {
				throw outage;
			}
			Results results = dispatch.results();
			boolean published = !results.confirmed().isEmpty() && !dispatch.isClaimLost();
			return new Progress(published, !results.isEmpty() || claim.moreIsWaiting());
		}
	}

	private @Nullable Claim nextClaim() {
		this.preparation.await();
		return this.claims.next();
	}

	private void ended(RelayBatch batch) {
		this.activity.hasEndedBatch();
		this.situation.listener().batchEnded(batch);
	}

	private void waitWhilePaused() throws InterruptedException {
		if (this.situation.gate().isClosed()) {
			giveBack();
			this.situation.gate().pass(this.situation::isStopping, this.activity);
		}
	}

	private void rest() throws InterruptedException {
		giveBack();
		long nanos = this.settings.pollInterval().toNanos();
		long jittered = (long) (nanos * ThreadLocalRandom.current().nextDouble(1.0, 1.2));
		boolean signalled = this.situation.signal().await(Duration.ofNanos(jittered), this.situation::isCalledOff);
		if (signalled && !this.situation.isCalledOff()) {
			this.situation.listener().woken();
		}
	}

	private void waitOut() throws InterruptedException {
		giveBack();
		this.outages++;
		this.activity.has(WorkerState.WAITING);
		this.situation.waitOut(this.settings.outage().delay(this.outages));
		this.activity.has(WorkerState.IDLE);
	}

	// What the store keeps from one claim for the next is not kept while this one waits
	private void giveBack() {
		OutageLog outages = this.situation.outages();
		long begunAt = outages.begin();
		try {
			this.claims.rest();
		}
		catch (RuntimeException | Error ex) {
			// The next round proves whether it works again
			this.outages++;
			outages.failed(ex, begunAt);
		}
		finally {
			outages.end();
		}
	}

	/**
	 * End a wait for a connection, which can be long while a server is away. Messages in
	 * flight are left alone.
	 */
	synchronized void interruptUnlessSending() {
		if (this.interruptible != null) {
			this.interruptible.interrupt();
		}
	}

	Worker seen() {
		return this.activity.seen();
	}

	private <T> @Nullable T withNothingInHand(Supplier<@Nullable T> work) {
		synchronized (this) {
			if (this.situation.isStopping()) {
				return null;
			}
			this.interruptible = Thread.currentThread();
		}
		try {
			return work.get();
		}
		finally {
			synchronized (this) {
				this.interruptible = null;
				// What comes next is not meant
				Thread.interrupted();
			}
		}
	}

	/**
	 * What came of one batch.
	 *
	 * @param published whether messages were published and completed
	 * @param more whether another batch is worth trying at once
	 */
	private record Progress(boolean published, boolean more) {

	}

}
