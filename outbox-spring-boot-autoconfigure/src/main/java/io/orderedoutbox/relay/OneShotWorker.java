package io.orderedoutbox.relay;

import java.time.Duration;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * One thread of a {@link OneShotRelay}: claim, send and complete until nothing is due any
 * more. Whatever goes wrong ends the whole run; what was not completed stays in the
 * outbox.
 */
final class OneShotWorker implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(OneShotWorker.class);

	private final int number;

	private final Claims claims;

	private final MessageSender sender;

	private final Drain drain;

	private final OneShotRelay.Means means;

	OneShotWorker(int number, Claims claims, MessageSender sender, Drain drain, OneShotRelay.Means means) {
		this.number = number;
		this.claims = claims;
		this.sender = sender;
		this.drain = drain;
		this.means = means;
	}

	@Override
	public void run() {
		try {
			while (!this.drain.isOver()) {
				long mark = this.drain.begin();
				if (!this.drain.isAnyLeft() || !relayBatch()) {
					this.drain.nothingFound(mark);
				}
			}
		}
		catch (TransportException | DataAccessException | TransactionException ex) {
			String reason = ErrorText.of(ex);
			logger.debug("The cause of the end of a one-shot relay", ex);
			this.drain.end(Ending.UNREACHABLE, reason);
		}
		catch (InterruptedException ex) {
			this.drain.end(Ending.STOPPED, "interrupted");
		}
		catch (RuntimeException | Error ex) {
			logger.error("A worker of the one-shot relay failed. Messages are kept", ex);
			this.drain.end(Ending.BROKEN, ErrorText.of(ex));
		}
	}

	private boolean relayBatch() {
		Relayed relayed = null;
		Stopwatch claiming = new Stopwatch();
		try (Claim claim = this.claims.next()) {
			Portion all = (claim != null) ? Portion.of(claim, Integer.MAX_VALUE) : null;
			int granted = (all != null) ? this.drain.take(all.size()) : 0;
			if (all != null && granted > 0) {
				if (all.moreIsWaiting()) {
					this.drain.wakeOthers();
				}
				relayed = relay((granted < all.size()) ? Portion.of(all.claim(), granted) : all, claiming.elapsed());
			}
		}
		if (relayed == null) {
			return false;
		}
		tell(relayed);
		return true;
	}

	private Relayed relay(Portion claim, Duration claiming) {
		Dispatch dispatch = new Dispatch(claim, this.means.settings(), this.means.suspects(), this.drain::isOver);
		Stopwatch sending = new Stopwatch();
		dispatch.through(this.sender);
		Duration sent = sending.elapsed();
		Results results = dispatch.isClaimLost() ? new Results(this.means.settings().retry()) : dispatch.results();
		Stopwatch completing = new Stopwatch();
		if (!results.isEmpty()) {
			claim.complete(results.published(), results.failed());
			results.log();
		}
		Batch batch = new Batch(this.number, claim.size(), results.published().size(), results.failed().size(),
				claiming, sent, completing.elapsed());
		return new Relayed(batch, results, dispatch.outage());
	}

	// Only now that the claim is closed: another worker that is told looks for what it
	// has
	// left
	private void tell(Relayed relayed) {
		Batch batch = relayed.batch();
		if (relayed.outage() != null) {
			this.drain.end(Ending.UNREACHABLE, ErrorText.of(relayed.outage()));
		}
		this.drain.done(batch, relayed.results(), Math.max(0, batch.claimed() - batch.published() - batch.failed()));
	}

	/**
	 * What came of a claim.
	 */
	private record Relayed(Batch batch, Results results, @Nullable TransportException outage) {

	}

	/**
	 * Measures how long something takes.
	 */
	private static final class Stopwatch {

		private final long startedAt = System.nanoTime();

		Duration elapsed() {
			return Duration.ofNanos(System.nanoTime() - this.startedAt);
		}

	}

}
