package io.orderedoutbox.relay;

import io.orderedoutbox.relay.OneShotResult.Ending;
import io.orderedoutbox.relay.RelayBatch.Durations;
import io.orderedoutbox.store.Claim;
import io.orderedoutbox.store.Claims;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.NonTransientDataAccessException;
import org.springframework.dao.NonTransientDataAccessResourceException;
import org.springframework.dao.UncategorizedDataAccessException;
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

	private final Preparation preparation = new Preparation();

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
			// Whoever waits for a batch of ours must hear that there will be none
			this.drain.end(Ending.TIME_LIMIT, null);
		}
		catch (InterruptedException ex) {
			this.drain.end(Ending.STOPPED, "interrupted");
		}
		catch (RuntimeException | Error ex) {
			if (isOutage(ex)) {
				logger.debug("The cause of the end of a one-shot relay", ex);
				this.drain.end(Ending.UNREACHABLE, ErrorText.of(ex));
			}
			else {
				logger.atError()
					.setCause(ex)
					.addKeyValue("worker", this.number)
					.addKeyValue("error", ErrorText.of(ex))
					.log("A worker of the one-shot relay failed. Messages are kept");
				this.drain.end(Ending.BROKEN, ErrorText.of(ex));
			}
		}
		finally {
			this.claims.end();
		}
	}

	// A database that answers, but not as it should, was reached
	private static boolean isOutage(Throwable ex) {
		boolean refused = ex instanceof NonTransientDataAccessException
				&& !(ex instanceof NonTransientDataAccessResourceException)
				&& !(ex instanceof UncategorizedDataAccessException);
		return ex instanceof TransportException || ex instanceof TransactionException
				|| (ex instanceof DataAccessException && !refused);
	}

	private boolean relayBatch() {
		Relayed relayed = null;
		long beganAt = System.nanoTime();
		this.preparation.await();
		try (Claim claim = this.claims.next()) {
			Portion granted = (claim != null) ? granted(claim) : null;
			if (granted != null) {
				if (granted.moreIsWaiting()) {
					this.drain.wakeOthers();
				}
				relayed = relay(granted, beganAt);
			}
		}
		// It may have to wait for others
		this.claims.rest();
		if (relayed == null) {
			this.means.listener().nothingFound();
			return false;
		}
		tell(relayed);
		return true;
	}

	private @Nullable Portion granted(Claim claim) {
		Portion all = Portion.of(claim, Integer.MAX_VALUE);
		int granted = this.drain.take(all.size());
		if (granted == 0) {
			return null;
		}
		return (granted < all.size()) ? Portion.of(claim, granted) : all;
	}

	private Relayed relay(Portion claim, long beganAt) {
		Dispatch dispatch = new Dispatch(claim, this.means.settings(), this.means.suspects(), this.drain::isOver);
		RelayBatch ended = new BatchRun(claim, beganAt, this.preparation).relay(this.number, dispatch, this.sender,
				this.means.listener()::batchEnded);
		Results results = ended.lost() ? new Results(this.means.settings().retry()) : dispatch.results();
		Durations durations = ended.durations();
		Batch batch = new Batch(this.number, claim.size(), results.published().size(), results.failed().size(),
				durations.claim(), durations.publish(), durations.complete());
		return new Relayed(batch, results, dispatch.outage());
	}

	// Only now that the claim is closed: another worker that is told looks for what it
	// has left
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

}
